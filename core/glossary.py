"""The words of the audit, each explained in one sentence: tooltips, reports and README read them here.

A term is defined once; a page or a report never explains it in other words.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GLOSSARY", "Entry"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One term.

    Attributes
    ----------
    sentence
        What it is, in one or two plain sentences.
    symbol
        How formulas write it; may be empty.
    source
        Where the definition comes from; may be empty.
    """

    sentence: str
    symbol: str = ""
    source: str = ""


GLOSSARY: dict[str, Entry] = {
    "cosine": Entry(
        sentence="How much two rows point the same way: 1 for the same direction, 0 for a right angle, −1 for "
        "opposite directions. Length plays no part.",
        symbol="S_ij = a_i · b_j (unit rows)",
    ),
    "matched": Entry(
        sentence="A row of A with its own row of B, row i with row i. The matched figure is the mean cosine of all "
        "such pairs.",
        symbol="m = mean of S_ii",
    ),
    "unrelated": Entry(
        sentence="A row of A with a row of B that is not its own: row i with row j, j different from i.",
        symbol="S_ij, i ≠ j",
    ),
    "floor": Entry(
        sentence="What unrelated pairs of this very comparison score. A matched cosine means something only as far "
        "as it stands above its floor.",
        symbol="f",
    ),
    "exact floor": Entry(
        sentence="The floor over all n(n−1) unrelated pairs: no sampling, so no sampling error.",
        symbol="f = mean of S_ij over i ≠ j",
    ),
    "permuted floor": Entry(
        sentence="The floor as the reference format prints it: the pooled scores of a few seeded derangements. A "
        "sample of the exact floor, so it moves with the seed.",
    ),
    "derangement": Entry(
        sentence="A shuffle of the rows of B in which no row meets its own partner. The floor in the reference "
        "format is the mean over a few of them.",
        symbol="p, with p(i) ≠ i",
    ),
    "Monte Carlo error": Entry(
        sentence="How much a sampled figure would move with another seed: one standard deviation.",
    ),
    "gap": Entry(
        sentence="Matched minus floor: what belonging together adds to the cosine.",
        symbol="g = m − f",
    ),
    "floor sd": Entry(
        sentence="Standard deviation of the unrelated cosines: the scale on which a gap is large or small.",
        symbol="σ_f, ddof 0",
    ),
    "gap over floor sd": Entry(
        sentence="The gap measured in floor standard deviations. An effect size: it does not grow with n, and it is "
        "not a test.",
        symbol="g / σ_f",
    ),
    "Cohen's d": Entry(
        sentence="The gap divided by the average spread of matched and unrelated cosines. An effect size, not a test.",
        symbol="d = g / √((σ_m² + σ_f²)/2)",
        source="Cohen 1988, Statistical Power Analysis for the Behavioral Sciences.",
    ),
    "anisotropy": Entry(
        sentence="Mean cosine between different rows of one side: how much of every cosine comes from a direction "
        "that all rows share. Near 1, any two rows score high, related or not.",
        symbol="A = (‖Σu_i‖² − n) / (n(n−1))",
        source="Ethayarajh 2019, How Contextual are Contextualized Word Representations?",
    ),
    "0.3 convention": Entry(
        sentence="The mark above which the reference format warns of a dominating shared direction. A convention "
        "without a derivation; below it, the floor still has to be read.",
    ),
    "raw": Entry(sentence="The reading on the rows as they are, only made unit length."),
    "centred": Entry(
        sentence="The reading after subtracting a mean from the unit rows of each side and making them unit length "
        "again: what is left once the shared direction is gone.",
        symbol="(u − μ) / ‖u − μ‖",
    ),
    "mean": Entry(
        sentence="The mean of unit rows that centring subtracts: of the compared rows themselves, or of separate fit "
        "rows, one for each side or one shared by both.",
        symbol="μ",
    ),
    "fit array": Entry(
        sentence="Separate rows of the same population, used only to fit the mean of a side. Without one, the mean "
        "comes from the compared rows, which pushes the centred floor slightly below 0.",
    ),
    "shared mean": Entry(
        sentence="One mean over both sides' rows instead of one each. Wrong where the sides sit in different places, "
        "as images and texts do.",
    ),
    "partner ranked first": Entry(
        sentence="Share of rows whose own partner scores highest among all candidates. Chance is 1/n when nothing "
        "links the rows.",
    ),
    "chance": Entry(
        sentence="What pure luck gives: with n candidates, a partner ranks first once in n.",
        symbol="1/n",
    ),
    "tie": Entry(
        sentence="Two candidates whose cosines differ by less than 1e-12 share a place. The headline gives each its "
        "expected credit; the optimistic and pessimistic figures say what ties could change.",
        source="Berrendorf et al. 2020, On the Ambiguity of Rank-Based Evaluation.",
    ),
    "candidates": Entry(
        sentence="The rows that a row is ranked among, its own partner included: all n, or for large files one seeded "
        "pool shared by all rows. Floors, gap and anisotropy are over all rows either way.",
        symbol="M",
    ),
    "orthogonal map": Entry(
        sentence="A turn (and mirroring) of one model's space onto the other's that stretches nothing, fitted on train "
        "rows alone. Two models share no coordinates, so without it a cosine between their rows means nothing.",
        symbol="R = UV′, with UΣV′ = A′B of the centred train rows (Procrustes)",
        source="Schönemann 1966, A Generalized Solution of the Orthogonal Procrustes Problem.",
    ),
    "train rows": Entry(
        sentence="Paired rows of other items, encoded by both models, that the means and the map are fitted on. What "
        "they score themselves is no evidence: a map fits its own rows, related or not.",
        symbol="m rows; 2 for each column of the wider side are good",
    ),
    "debiased CKA": Entry(
        sentence="Whether two models see the same rows as alike, from all cosines within each model: 1 for the same "
        "inner geometry, 0 by chance. It needs no map and no common width.",
        symbol="h(X,Y) / √(h(X,X) h(Y,Y)), h the unbiased HSIC",
        source="Song et al. 2012, Feature Selection via Dependence Maximization.",
    ),
    "mutual neighbour overlap": Entry(
        sentence="Share of a row's k nearest rows within its own model that both models name. It falls as n grows, so "
        "it means nothing without k, n and chance beside it.",
        symbol="chance k/(n−1)",
        source="Huh et al. 2024, The Platonic Representation Hypothesis.",
    ),
    "hub": Entry(
        sentence="A row of B that is the top candidate of many rows of A at once.",
    ),
    "direction": Entry(
        sentence="A to B ranks the rows of B for each row of A; B to A the other way round.",
    ),
    "exact duplicate": Entry(
        sentence="A row whose stored bytes equal an earlier row of the same file. Its partners tie.",
    ),
    "SHA-256": Entry(
        sentence="A fingerprint of the file's bytes: two files with the same one are the same file.",
    ),
    "seed": Entry(
        sentence="The number that fixes the random draws, so that a run can be repeated to the digit.",
    ),
    "condition": Entry(
        sentence="One of several ways to make the same comparison on the same items: a precision, a runtime, a layer.",
    ),
    "signed difference": Entry(
        sentence="Gap of one condition minus gap of another, sign kept: over seeds, pluses and minuses cancel where "
        "nothing differs. A mean of absolute values does not, so it is biased upwards.",
        symbol="Δ = g_1 − g_2",
    ),
    "paired interval": Entry(
        sentence="A 95% interval from the item-by-item differences of two conditions: what the conditions share drops "
        "out of it.",
        source="Arvesen 1969, Jackknifing U-statistics.",
    ),
    "crossed interval": Entry(
        sentence="A 95% interval when both seeds and items are samples: averaging over one of them and testing over "
        "the other alone is too sure.",
        source="Satterthwaite 1946, An approximate distribution of estimates of variance components.",
    ),
    "detectable difference": Entry(
        sentence="The smallest true difference that this comparison would find in four of five repetitions.",
    ),
    "Holm": Entry(
        sentence="p-values made larger for being looked at together, so that one in a table of many is not significant "
        "by luck.",
        source="Holm 1979, A simple sequentially rejective multiple test procedure.",
    ),
    "interval": Entry(
        sentence="The range that covers the true value in 95 of 100 such samples: by leaving out one pair, or one "
        "group, at a time; for shares of rows the exact binomial range.",
        symbol="θ ± t_.975 · SE",
        source="Arvesen 1969, Jackknifing U-Statistics; Clopper and Pearson 1934.",
    ),
    "verdict": Entry(
        sentence="What the numbers can bear: matched separates from the floor (p ≤ .05), no gap larger than the "
        "declared margin, real but smaller than it, or underpowered. An underpowered comparison is not a refutation.",
        source="Schuirmann 1987, A Comparison of the Two One-Sided Tests Procedure and the Power Approach.",
    ),
    "permutation test": Entry(
        sentence="How often rows paired at random score as far from the mean of all pairings as the matched ones do, "
        "in either direction. Over all permutations, not only derangements.",
        symbol="p = (b+1)/(m+1)",
        source="Phipson and Smyth 2010, Permutation P-values Should Never Be Zero.",
    ),
    "z": Entry(
        sentence="The gap in standard deviations over all permutations of the pairing, in closed form. Grows with n.",
        symbol="z = Σα_i·β_i / sd",
        source="Hoeffding 1951, A Combinatorial Central Limit Theorem.",
    ),
    "margin": Entry(
        sentence="The largest gap, or difference of gaps, in cosine that would not matter to you, declared before "
        "looking. Without one the verdict never says that there is none.",
        symbol="X",
        source="Schuirmann 1987, A Comparison of the Two One-Sided Tests Procedure and the Power Approach.",
    ),
    "detectable gap": Entry(
        sentence="The smallest true gap that an audit of this size would find in 80 of 100 cases at the 5% level.",
        symbol="t_.975·SE₀ + t_.80·max(SE₀, SE)",
        source="Card et al. 2020, With Little Power Comes Great Responsibility.",
    ),
    "ruled out": Entry(
        sentence="Gaps above this size do not go with the data: two one-sided tests at 5% exclude them.",
        symbol="U = |g| + t_.95·SE",
    ),
    "exploratory": Entry(
        sentence="Said of a result from fewer than 20 independent pairs or groups: a reason to collect more, not "
        "a finding.",
    ),
    "adjusted mean rank index": Entry(
        sentence="How high partners rank on average: 1 always first, 0 by chance, −1 always last, at any n.",
        symbol="AMRI = 1 − 2·Σ(g_i + e_i/2) / (n(n−1))",
        source="Berrendorf et al. 2020, On the Ambiguity of Rank-Based Evaluation.",
    ),
    "group": Entry(
        sentence="Pairs that belong together, such as five captions of one image. Rows of one group do not count as "
        "unrelated, and intervals leave out whole groups.",
    ),
    "correction for centring": Entry(
        sentence="A mean fitted on the compared rows makes the centred gap too large; gap, gap over floor sd and "
        "Cohen's d in the results table are multiplied by a factor just below 1 that undoes it.",
        symbol="(n−1)/n for own means",
    ),
    "participation ratio": Entry(
        sentence="How many directions carry the variance of one side's unit rows, free of the bias of few rows.",
        symbol="PR = (tr Σ)² / tr Σ²",
        source="Himeno and Yamada 2014 (unbiased traces).",
    ),
    "IsoScore": Entry(
        sentence="The participation ratio from 0, all variance along one line, to 1, all directions alike.",
        symbol="(PR − 1) / (d − 1)",
        source="Rudman et al. 2022, IsoScore: Measuring the Uniformity of Embedding Space Utilization.",
    ),
    "offset between the sides": Entry(
        sentence="Distance between the mean unit rows of A and of B: large where the sides are two modalities.",
        symbol="√(A_a + A_b − 2f)",
    ),
    "unrelated distance lost": Entry(
        sentence="For sides that are nearly the same: the distance of partners as a share of that of unrelated rows.",
        symbol="(1 − m) / (1 − f)",
    ),
    "claim": Entry(
        sentence="A cosine somebody gives for these files, and what it is said to show. It is placed among the "
        "unrelated pairs of the very same files: how many of them score as much.",
    ),
    "cut-off": Entry(
        sentence="A threshold at or above which pairs are kept. What it keeps of matched and of unrelated pairs is "
        "counted for these files only; no cut-off carries over to others.",
        symbol="S_ij ≥ t",
    ),
    "worst pairs": Entry(
        sentence="The pairs one by one: the row, its own cosine, the rank of its partner, the best other row, and the "
        "margin between the two. A margin below 0 means that another row won.",
        symbol="margin = S_ii − max S_ij over j ≠ i",
    ),
    "ceiling": Entry(
        sentence="Matched is at .999 or more and every partner ranks first, raw and centred: no difference could show.",
    ),
}
