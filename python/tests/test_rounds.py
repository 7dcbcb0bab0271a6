"""Rounds, tables, transcripts and refusals."""

import copy
import pickle
from decimal import Decimal
from pathlib import Path

import numpy as np
import pitboss
import pytest

ROUNDS = Path(__file__).parents[2] / "crates" / "rules" / "tests" / "rounds"


def test_a_war_is_played_and_paid():
    # CW-8-g-3: the higher war card wins, and the raise alone is paid.
    round = pitboss.Round("casino-war", 10).deal("9d", "9s")
    assert round.awaits == "act" and round.asked == [1]
    assert round.offers() == ["surrender", "war"]
    round.act("war").deal(None, None, None, "Qc", "4h")
    assert round.is_over and round.net() == Decimal(10)
    assert repr(round) == "<Round casino-war: settled, seat 1 +10>"


def test_a_refusal_has_a_sentence_and_a_clause_and_changes_nothing():
    round = pitboss.Round("casino-war", 10).deal("9d", "9s")
    before = round.copy()
    with pytest.raises(pitboss.Refused) as refused:
        round.act("hit")
    assert refused.value.sentence == "this game has no hit"
    assert refused.value.clause == "CW-8-c"
    assert refused.value.code == "call-foreign"
    assert round == before
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.clause == "CW-8-c"


def test_all_cards_are_dealt_or_none():
    round = pitboss.Round("casino-war", 10)
    with pytest.raises(pitboss.Refused):
        round.deal("9d", "9s", "2c")
    assert round.awaits == "card" and round.place == "1"


def test_several_seats_side_wagers_and_amounts():
    round = pitboss.Round("casino-war", {1: {"main": 10, "tie": 5}, 3: 20})
    assert round.bettors == [1, 3]
    round.deal("9d", "4c", "9s")
    assert round.asked == [1]
    # CW-8-a-3: a tie wager pays 10 to 1.
    assert round.net(1, "tie") == 50
    assert round.net(3) == -20
    assert round.amounts("war") is not None and not round.amounts("war")["required"]


def test_a_hole_card_is_nowhere_until_it_is_turned():
    round = pitboss.Round("free-bet", 10).deal("6d", "7s", "5d", None)
    assert round.points() == (11, False) and round.dealer_points == (7, False)
    round.act("double").deal("9c")
    assert round.awaits == "turn"
    round.turn("Kh")
    assert round.net() == 20  # FBB-8-a-1: the double on 11 was free, and both win


@pytest.mark.parametrize("game", pitboss.GAMES)
def test_every_test_round_of_the_rules_passes(game):
    files = sorted((ROUNDS / game).glob("*.round"))
    assert files
    for file in files:
        rounds = pitboss.check(file)
        assert rounds and all(round.passed for round in rounds), file


def test_a_file_may_have_blanks_in_its_name(tmp_path):
    file = tmp_path / "my file.round"
    file.write_text("game casino-war\nwager 1 main 10\ncards 9d 4s\nnet 1 +10\ndone\n")
    assert pitboss.check(str(file))[0].passed and pitboss.check(file)[0].passed


def test_a_failed_expectation_names_its_line():
    text = "game casino-war\nwager 1 main 10\ncards 9d 4s\nnet 1 -10\ndone\n"
    (round,) = pitboss.check(text)
    assert not round.passed and round.is_readable
    assert round.findings == ((4, "expected net 1 -10, found +10"),)
    (bad,) = pitboss.check("game roulette\n")
    assert not bad.is_readable


def test_a_transcript_goes_out_and_comes_in():
    round = pitboss.Round("double-deck", 10, terms={"seats": 5})
    round.deal("Td", "9c", "6h", None)
    text = round.transcript()
    assert "terms seats=5" in text
    assert pitboss.Round.from_transcript(text) == round
    assert pickle.loads(pickle.dumps(round)) == round
    assert copy.deepcopy(round) == round
    round.act("stand")
    while not round.is_over:
        if round.awaits == "turn":
            round.turn("7s")
        else:
            round.deal("Ts")
    assert all(found.passed for found in pitboss.check(round.transcript()))


BAD = [
    (lambda: pitboss.Round("roulette"), ValueError, "expected a game"),
    (lambda: pitboss.Round("casino-war", True), TypeError, "found a bool"),
    (lambda: pitboss.Round("casino-war", 0.001), ValueError, "expected an amount"),
    (lambda: pitboss.Round("casino-war", float("nan")), ValueError, "expected an amount"),
    (lambda: pitboss.Round("casino-war", float("inf")), ValueError, "expected an amount"),
    (lambda: pitboss.Round("casino-war", 10**30), ValueError, "."),
    (lambda: pitboss.Round("casino-war", -5), pitboss.Refused, "table minimum"),
    (lambda: pitboss.Round("casino-war", {8: 10}), ValueError, "expected a seat"),
    (lambda: pitboss.Round("casino-war", {1: {"moon": 5}}), ValueError, "expected a circle"),
    (lambda: pitboss.Round("casino-war", {}), ValueError, "needs a wager"),
    (lambda: pitboss.Round("double-deck", 10, meter=5), ValueError, "no progressive"),
    (lambda: pitboss.Round("casino-war", 10, meter=-1), ValueError, "expected a meter"),
    (lambda: pitboss.Round("casino-war", 10, people={"a": [9]}), ValueError, "expected a seat"),
    (lambda: pitboss.Round("casino-war", 10, people={"a b": [1]}), ValueError, "one word"),
    (lambda: pitboss.Round("casino-war").deal("Xx"), ValueError, "a card is"),
    (lambda: pitboss.Round("casino-war").deal(7), TypeError, "."),
    (lambda: pitboss.Round("casino-war").act("fold"), ValueError, "expected a call"),
    (lambda: pitboss.Round("casino-war").act("war", bettor=1), pitboss.Refused, "."),
    (lambda: pitboss.Round("casino-war").turn("9d"), pitboss.Refused, "."),
    (lambda: pitboss.Round("casino-war").peek(True), pitboss.Refused, "."),
    (lambda: pitboss.Round("casino-war").take("act 9 war"), pitboss.Refused, "."),
    (lambda: pitboss.Round("double-deck").take("act 1b hit"), pitboss.Refused, "."),
    (lambda: pitboss.Round("casino-war").take("terms decks=8"), ValueError, "not an input"),
    (lambda: pitboss.Round("casino-war").take("é" * 10_000), ValueError, "."),
    (lambda: pitboss.Round("casino-war").points(0), ValueError, "expected a seat"),
    (lambda: pitboss.Round.from_transcript(""), ValueError, "one round"),
    (lambda: pitboss.Round.from_transcript("game casino-war\ntable\n"), ValueError, "a table"),
    (lambda: pitboss.Table.from_transcript("game casino-war\nwager 1 main 10\n"), ValueError, "of a round"),
    (lambda: pitboss.Table.from_transcript("game casino-war\nterms decks=5\ntable\n"), pitboss.Refused, "CW-2-a"),
    (lambda: pitboss.Table.from_transcript("game casino-war\ntable\nwager 3 main 10\n"), pitboss.Refused, "."),
    (lambda: pitboss.Table.from_transcript("game casino-war\ntable\nfly\n"), ValueError, "line 3"),
    (lambda: pitboss.Table("casino-war").take("sit 99 ann"), ValueError, "."),
    (lambda: pitboss.Table("casino-war").take("wager 3 main 10"), pitboss.Refused, "."),
    (lambda: pitboss.verify("not a log\n"), ValueError, "line 1"),
    (lambda: pitboss.check("no such file.round"), FileNotFoundError, "no such file.round"),
    (lambda: pitboss.Table("casino-war").sit(9, "ann"), ValueError, "expected a seat"),
    (lambda: pitboss.Table("casino-war").sit(1, "Ann Lee"), ValueError, "a name of 1 to 32"),
    (lambda: pitboss.Table("casino-war").buy_in(10), ValueError, "nobody is at the table"),
    (lambda: pitboss.Table("casino-war").act("fold", bettor=1), ValueError, "expected a call"),
    (lambda: pitboss.Table("casino-war").act("war", bettor=1), pitboss.Refused, "."),
    (lambda: pitboss.Table("casino-war").deal("Xx"), ValueError, "a card is"),
    (lambda: pitboss.Table("casino-war").wager({"moon": 5}, bettor=1), ValueError, "expected a circle"),
    (lambda: pitboss.rules("roulette"), ValueError, "expected a game"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_input_is_a_sentence(number):
    wrong, error, words = BAD[number]
    with pytest.raises(error, match=words) as raised:
        wrong()
    assert str(raised.value) and "\n" not in str(raised.value)


def test_terms_that_the_book_forbids_name_the_clause():
    with pytest.raises(pitboss.Refused) as refused:
        pitboss.odds("casino-war", {"decks": 5})
    assert refused.value.clause == "CW-2-a"
    assert "expected 6, 7 or 8" in refused.value.sentence


def test_random_input_never_does_worse_than_an_exception():
    # Every method with odd arguments: no panic, which would be a BaseException.
    import random

    source = random.Random(1)
    words = ["act 1b hit", "remedy void", "remedy dead 7 4", "buy-in 7c 5", "hit", "war", "9d", "??", None, "1", "3b", "", "é", 0, -1, 10**20, 1.5, True, [], {}]
    for _ in range(3000):
        game = source.choice(pitboss.GAMES)
        round = pitboss.Round(game)
        for _ in range(6):
            name = source.choice(
                ["deal", "act", "peek", "turn", "take", "offers", "amounts", "net", "hands",
                 "points", "value", "reader_answer"]
            )
            given = [source.choice(words) for _ in range(source.randrange(3))]
            if source.random() < 0.6 and round.awaits in ("card", "face-down", "act"):
                name = "act" if round.awaits == "act" else "deal"
                given = [source.choice(round.offers())] if name == "act" else (
                    [source.choice(["9d", "As", "Kh"])] if round.awaits == "card" else [None])
            try:
                getattr(round, name)(*given)
            except (ValueError, TypeError):
                pass


def test_a_table_plays_by_lines_of_the_notation():
    table = pitboss.Table("casino-war")
    table.take("sit 3 ann")
    assert {"event": "sat", "bettor": 3, "player": "ann", "words": "sat 3 ann"} in table.events
    table.take("buy-in 3 100")
    assert table.rack(3) == 100 and table.players == {3: "ann"}
    assert (table.awaits, table.asked) == ("inspection", [3])
    assert table.awaits_in_words == "seat 3 to look at the spread cards"
    with pytest.raises(pitboss.Refused) as refused:
        table.take("wager 3 main 10")
    assert refused.value.clause == "CW-4-b"
    assert all(found.passed for found in pitboss.check(table.transcript()))


def open_table(game="casino-war", **terms):
    """A table whose first shoe is shuffled, with one player in the third seat."""
    table = pitboss.Table(game, terms=terms).sit(3, "ann").buy_in(100)
    table.take("inspect 3")
    table.take("shuffle physical wash plug riffle riffle strip riffle turn riffle cut")
    return table.take("cut 3 120").deal(None)


def test_a_table_is_played_as_a_round_is():
    # CW-5-c, CW-7-a, CW-7-b, CW-8-f: shuffle, cut, burn card, wagers, and a war with a tie wager.
    table = open_table(decks=8)
    assert table.terms == {"decks": "8"} and table.awaits == "wagers"
    table.wager({"main": 10, "tie": 5}).close_bets()
    assert (table.awaits, table.place, table.rack()) == ("card", "3", 85)
    table.deal("9d", "9s")
    assert (table.awaits, table.asked, table.offers()) == ("act", [3], ["surrender", "war"])
    amounts = table.amounts("war")
    assert amounts["least"] <= 5 <= amounts["most"] and not amounts["required"]
    assert table.amounts("hit") is None
    table.act("war", 5)
    assert (table.awaits, table.place) == ("face-down", "burn")
    table.deal(None, None, None, "4c", "4h")
    # The main wager is returned; the raise pays 2 to 1, the tie wagers 10 to 1 each.
    nets = [table.net(circle=circle) for circle in ("main", "war", "tie", "war-tie")]
    assert nets == [0, 20, 50, 50] and table.net() == 120
    assert table.rounds_played == 1 and table.rack() == 100 + 120
    assert all(found.passed for found in pitboss.check(table.transcript()))


def test_a_refused_input_leaves_a_table_as_it_was():
    table = open_table().wager(10).close_bets().deal("9d", "9s")
    before, events = table.copy(), len(table.events)
    for wrong in (lambda: table.act("hit"), lambda: table.deal("2c"), lambda: table.turn("2c"),
                  lambda: table.peek(True), lambda: table.act("war").deal(None, None, "2c")):
        with pytest.raises(pitboss.Refused) as refused:
            wrong()
        assert refused.value.clause
    # The last call went to war before the cards were refused, all of them.
    assert table == before.act("war") and table.awaits == "face-down"
    assert [event["event"] for event in table.events[events:]].count("burned") == 0


def test_the_events_of_a_table_have_fields():
    table = open_table().wager(10).close_bets().deal("9d", "4s")
    told = {event["event"]: event for event in table.events}
    assert told["placed"]["amounts"] == {"main": 10}
    assert told["cut"] == {"event": "cut", "bettor": 3, "at": 120, "words": "cut 3 120"}
    assert told["shuffled"]["cards"] == 312 and told["shuffled"]["seal"] is None
    assert told["settled"]["gain"] == 10 and told["settled"]["clause"].startswith("CW-")
    assert told["rack"]["amount"] == 110 and "round-over" in told
    assert all(event["words"] for event in table.events)


def test_a_blackjack_at_a_table_has_points_and_whispers():
    # DDB: the cards of a hand are dealt face down to its player.
    table = pitboss.Table("double-deck").sit(2, "bob").buy_in(100).take("inspect 2")
    table.take("shuffle physical wash plug riffle riffle strip riffle turn riffle cut")
    table.take("cut 2 50")
    while table.awaits == "face-down":
        table.deal(None)
    table.wager(10).close_bets()
    for card in ("Td", "9c", "6h"):
        table.deal(card)
    table.deal(None)
    assert (table.points(2), table.dealer_points) == ((16, False), (9, False))
    assert table.hands(2) == table.current_hand(2) == 1
    whispered = [event for event in table.events if event.get("only") == 2]
    assert {event["card"] for event in whispered if event["event"] == "dealt"} == {"Td", "6h"}
    table.act("stand").turn("8s")
    assert table.net() == -10


def played_table():
    table = pitboss.Table("casino-war", terms={"decks": 8})
    for line in ("sit 3 ann", "buy-in 3 100", "inspect 3"):
        table.take(line)
    return table


def test_the_transcript_of_a_table_goes_out_and_comes_in():
    table = played_table()
    for again in (
        pitboss.Table.from_transcript(table.transcript()),
        pickle.loads(pickle.dumps(table)),
        copy.deepcopy(table),
    ):
        assert again == table and again != pitboss.Table("casino-war", terms={"decks": 8})
        assert again.awaits == table.awaits and again.rack(3) == 100
        assert again.events == table.events
        assert again.transcript() == table.transcript()


def test_what_a_transcript_of_a_table_expects_is_not_played():
    text = "game casino-war\ntable # of one\nsit 3 ann\ntells sat 3 ann\nwager 3 main 10\nrefused\nbuy-in 3 50\nrack 3 50\n"
    assert pitboss.check(text)[0].passed
    table = pitboss.Table.from_transcript(text)
    assert table.rack(3) == 50 and "wager" not in table.transcript()


@pytest.mark.parametrize("game", pitboss.GAMES)
def test_every_test_table_of_the_rules_comes_in(game):
    # A file holds rounds or tables with '---' between them.
    texts = [text for file in sorted((ROUNDS / game).glob("*.round"))
             for text in file.read_text(encoding="utf-8").split("\n---\n")]
    tables = [text for text in texts if "\ntable\n" in text]
    assert tables
    for text in tables:
        table = pitboss.Table.from_transcript(text)
        assert pitboss.Table.from_transcript(table.transcript()) == table


def test_amounts_and_seats_of_other_libraries():
    # A normalized Decimal has an exponent, and a seat may be a number of NumPy.
    wagers = {np.int64(3): Decimal("1E+1"), np.uint8(1): np.float32(12)}
    round = pitboss.Round("casino-war", wagers).deal("9d", "4c", "5s")
    assert round.bettors == [1, 3] and round.net(np.int64(1)) == 12
    assert round.net(3) == -10
    with pytest.raises(ValueError, match="expected a seat from 1 to 7"):
        pitboss.Round("casino-war", {True: 10})
    for odd in ("1E+999999999", "1E-999999999", "NaN", "-Infinity", "1E-3"):
        with pytest.raises(ValueError, match="expected an amount"):
            pitboss.Round("casino-war", Decimal(odd))


def test_the_index_of_the_books():
    index = pitboss.rules("casino-war")
    assert {clause["game"] for clause in index["clauses"]} == {"casino-war"}
    decks = next(term for term in index["terms"] if term["key"] == "decks")
    assert decks["values"] == "6|7|8" and decks["source"].startswith("CW-2-a")
    assert any(ruling["id"] == "CW-R06" for ruling in index["rulings"])
    assert len(pitboss.rules()["clauses"]) > len(index["clauses"])
