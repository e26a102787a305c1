"""Demo page: why 0.9 means little, on shipped embeddings and for a room."""

from app.widgets import demo

demo.large_type()
demo.board()
demo.lesson()
