"""Whether a text is about a topic is told by its words, and by what tells one thing from another of its kind."""

from __future__ import annotations

import pytest

from app.context.structured.topic import Topic, named_project


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("family reunion", "Just a reminder about the family reunions next month."),
        ("the budget of Project A", "We cut the budget of Project A."),
        ("北京出差", "关于去北京出差的安排"),
        ("预算", "会上决定增加预算"),
        ("Project A", "项目A的预算"),
        ("项目A", "the Project A kick-off"),
        ("Q3 revenue", "Revenue of Q3 was good"),
    ],
)
def test_a_text_is_about_it(topic: str, text: str) -> None:
    assert Topic(topic).is_in(text)


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("Project A", "Project B starts in May, a little late"),
        ("项目A", "项目B的预算"),
        ("the Berlin trip", "The trip to Paris is on 20 May."),
        ("Q3 revenue", "Revenue of Q2 was good"),
        ("budget", ""),
        ("预算", "预告"),
    ],
)
def test_a_text_is_about_something_else(topic: str, text: str) -> None:
    assert not Topic(topic).is_in(text)


def test_a_title_that_says_nothing_else_is_enough() -> None:
    topic = Topic("project kick-off meeting with the client")
    assert topic.names("Project kick-off") > 0
    assert Topic("Berlin trip").names("Paris trip") == 0
    assert Topic("dentist appointment").names("Dentist") > 0


@pytest.mark.parametrize("text", ["what about Project B", "项目B怎么样", "B项目的进展", "project 12 status"])
def test_a_lettered_project_is_told_from_others(text: str) -> None:
    pattern = named_project(text)
    assert pattern is not None
    assert pattern.search("All about Project A and 项目C") is None


@pytest.mark.parametrize("text", ["the project budget", "what is a project", "Project Phoenix", "项目的预算"])
def test_other_projects_are_told_by_their_words(text: str) -> None:
    assert named_project(text) is None
