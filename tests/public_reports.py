"""Public reports about cosines, each rebuilt as a small seeded pair.

Only what the reporter saw is rebuilt, not their data: a cone, an outsize coordinate, two
modalities, codes in one quadrant, twins, captions.
"""

from __future__ import annotations

import numpy as np


def _related(seed, n, dim, noise, shift=0.0):
    rng = np.random.default_rng(seed)
    things = rng.standard_normal((n, dim))
    common = rng.standard_normal(dim)
    common *= shift / np.linalg.norm(common)
    return tuple(things + noise * rng.standard_normal((n, dim)) + common for _ in "ab")


def irrelevant_sentences_score_high():
    """microsoft/unilm#1216: two irrelevant sentences still score above 0.7."""
    return _related(1, 120, 48, 0.7, shift=17.0)


def a_pass_mark_lets_everything_through():
    """promptfoo#240: a pass mark of 0.7 for an ada-002-like model, where anything scores 0.7."""
    return _related(2, 80, 64, 0.65, shift=19.0)


def everything_near_one():
    """huggingface/transformers#2298: mean-pooled states, everything near 1, one outsize coordinate."""
    a, b = _related(3, 100, 64, 0.7)
    a[:, 5] += 90
    b[:, 5] += 90
    return a, b


def right_caption_scores_low():
    """openai/CLIP#405: the right caption scores 0.25, the wrong one 0.19; should it not be near 1?"""
    rng = np.random.default_rng(4)
    a, b = _related(4, 150, 512, 2.4)
    both, image, text = rng.standard_normal((3, 512))
    return a + 1.6 * both + 1.1 * image, b + 1.6 * both + 1.1 * text


def a_row_with_itself_above_one():
    """scikit-learn#18122: the cosine of a row with itself comes out as 1.0000001 in float32."""
    a = _related(5, 40, 300, 0.5, shift=90.0)[0].astype("f4")
    return a, a.copy()


def zero_rows():
    """sentence-transformers#589: texts without a known word give rows of zeros, and NaN ranks first."""
    a, b = _related(6, 30, 16, 0.7)
    a[[5, 17]] = 0
    return a, b


def float16_norms():
    """model2vec PR#368, numpy#8775: a norm in half precision over- or underflows."""
    a, b = (rows.astype("f2") for rows in _related(7, 50, 32, 0.5, shift=2.5))
    return a * np.float16(90), b / np.float16(900), a, b


def one_quadrant_codes():
    """sqlite-vector#7: affine uint8 codes move all vectors into one quadrant."""
    a, b = _related(8, 100, 64, 0.5)
    codes = tuple(np.clip(np.round(rows * 20 + 128), 0, 255).astype("u1") for rows in (a, b))
    return *codes, a, b


def answers_twice():
    """mteb#4626: the answer is in the corpus twice; the lower index takes rank 1."""
    a, b = _related(9, 40, 24, 0.3, shift=2.0)
    b[20:] = b[:20]
    a[20:] = b[:20] + 0.3 * np.random.default_rng(90).standard_normal((20, 24))
    return a, b


def sorted_against_directory_order():
    """VL-SAE#3: one side listed sorted, the other in directory order."""
    a, b = _related(10, 96, 32, 0.5, shift=2.2)
    return a, b[np.random.default_rng(100).permutation(96)]


def one_topic():
    """weaviate#5298: a collection of one topic, all scores high; asks for cosines about its mean."""
    a, b = _related(17, 1_590, 40, 0.6, shift=7.5)
    return a[:90], b[:90], a[90:], b[90:]


def centring_lowers_matched():
    """SpLiCE#4: after centring the true pairs' cosine goes down; is something lost?"""
    return _related(18, 120, 48, 0.9, shift=5.0)


def two_runtimes():
    """transformers.js#1331, ollama#7085: one model in two runtimes, 0.75 between them; so have unrelated texts."""
    rng = np.random.default_rng(19)
    common = rng.standard_normal(48)
    common *= 12.0 / np.linalg.norm(common)
    return rng.standard_normal((100, 48)) + common, rng.standard_normal((100, 48)) + common


def changed_lighting():
    """dinov2#147: the same scene in another light; what do unrelated images score?"""
    return _related(20, 60, 32, 0.5, shift=2.2)


def five_captions():
    """SAIL#28, CLIP#181: five captions an image, and a file of images with a fifth of the rows."""
    rng = np.random.default_rng(21)
    images = rng.standard_normal((40, 24)) + 1
    captions = np.repeat(images, 5, axis=0) + 0.8 * rng.standard_normal((200, 24))
    return images, captions


def rounded_scores():
    """big-ann-benchmarks#59: ties always given to the right answer."""
    rng = np.random.default_rng(24)
    a = rng.integers(-1, 2, (80, 6)).astype("f4")
    a[:, 0] = np.where(np.abs(a).sum(axis=1) == 0, 1, a[:, 0])
    b = a.copy()
    b[:, 1] = rng.integers(-1, 2, 80)
    b[np.abs(b).sum(axis=1) == 0, 2] = 1
    return a, b
