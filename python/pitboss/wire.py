"""The types of the house's protocol. Made by wire_types.py from web/src/wire.ts: not to be changed here."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:

    class NotRequired:
        def __class_getitem__(cls, item: Any) -> Any:
            return item

PROTOCOL = 8
AboutTable = TypedDict(
    "AboutTable",
    {
        "table": str,
        "house": str,
        "game": str,
        "title": str,
        "terms": list["TermView"],
        "options": str,
        "circles": list["CircleView"],
        "pays": list["PayView"],
        "buy_in": "AmountsView",
        "signs": list["SignView"],
        "decks": "DecksView",
        "coach": "Coach",
    },
)
ActValueView = TypedDict(
    "ActValueView",
    {
        "call": str,
        "amount": Union[str, None],
        "gain": int,
        "cost": int,
        "cost_method": "CostMethod",
        "method": "ValueMethod",
        "at_most": Union[int, None],
        "prospects": Union["ProspectsView", None],
    },
)
AmountsView = TypedDict(
    "AmountsView",
    {
        "least": str,
        "most": str,
        "step": str,
        "required": bool,
    },
)
Awaited = TypedDict(
    "Awaited",
    {
        "what": "AwaitedWhat",
        "seats": list[int],
        "within_ms": Union[int, None],
        "of_ms": Union[int, None],
    },
)
BackupView = TypedDict(
    "BackupView",
    {
        "file": str,
        "bytes": int,
    },
)
Bankroll = TypedDict(
    "Bankroll",
    {
        "points": list["PointView"],
        "more": bool,
    },
)
BehindView = TypedDict(
    "BehindView",
    {
        "at": str,
        "name": str,
        "bot": bool,
        "away": bool,
        "waits": bool,
        "rack": str,
        "ready": bool,
        "wagers": list["WagerView"],
        "results": list["ResultView"],
    },
)
BookView = TypedDict(
    "BookView",
    {
        "game": str,
        "title": str,
        "clauses": list["ClauseOfBook"],
        "rulings": list["RulingView"],
        "options": list["OptionView"],
    },
)
BoundView = TypedDict(
    "BoundView",
    {
        "most": Union[str, None],
        "later": Union["LaterView", None],
    },
)
CardCount = TypedDict(
    "CardCount",
    {
        "card": str,
        "all": int,
        "left": int,
    },
)
ChangePassword = TypedDict(
    "ChangePassword",
    {
        "old": str,
        "new": str,
    },
)
ChartCell = TypedDict(
    "ChartCell",
    {
        "calls": list[str],
        "shown": Union["HandShown", None],
    },
)
ChartRow = TypedDict(
    "ChartRow",
    {
        "row": str,
        "often": Union[int, None],
        "cells": list["ChartCell"],
    },
)
ChartView = TypedDict(
    "ChartView",
    {
        "table": str,
        "ups": list[str],
        "rows": list["ChartRow"],
    },
)
Choice = TypedDict(
    "Choice",
    {
        "choice": str,
        "words": str,
    },
)
CircleStatistics = TypedDict(
    "CircleStatistics",
    {
        "circle": str,
        "title": str,
        "wagers": int,
        "staked": str,
        "net": str,
        "net_with_added": Union[str, None],
        "expected": Union[str, None],
    },
)
CircleView = TypedDict(
    "CircleView",
    {
        "circle": str,
        "title": str,
        "opening": Union["AmountsView", None],
    },
)
ClauseOfBook = TypedDict(
    "ClauseOfBook",
    {
        "id": str,
        "kind": str,
        "title": str,
        "excused": Union[str, None],
    },
)
ClauseView = TypedDict(
    "ClauseView",
    {
        "id": str,
        "kind": str,
        "game": Union[str, None],
        "title": str,
        "words": Union[str, None],
    },
)
ClientCommandPing = TypedDict(
    "ClientCommandPing",
    {
        "type": Literal["ping"],
    },
)
ClientCommandWatch = TypedDict(
    "ClientCommandWatch",
    {
        "type": Literal["watch"],
        "table": str,
        "from": Union[int, None],
    },
)
ClosedCall = TypedDict(
    "ClosedCall",
    {
        "call": str,
        "words": str,
        "refusal": "Refusal",
    },
)
Command0 = TypedDict(
    "Command0",
    {
        "client": "ClientCommand",
    },
)
Command1 = TypedDict(
    "Command1",
    {
        "player": "PlayerCommand",
    },
)
Command2 = TypedDict(
    "Command2",
    {
        "dealer": "DealerCommand",
    },
)
Command3 = TypedDict(
    "Command3",
    {
        "supervisor": "SupervisorCommand",
    },
)
CommitmentView = TypedDict(
    "CommitmentView",
    {
        "at": str,
        "commitment": str,
        "opened": bool,
    },
)
CompanyView = TypedDict(
    "CompanyView",
    {
        "asked": int,
        "most": int,
        "seats": list[int],
    },
)
ContributionView = TypedDict(
    "ContributionView",
    {
        "at": str,
        "name": str,
        "commitment": str,
        "bytes": Union[str, None],
    },
)
CorrectionLine = TypedDict(
    "CorrectionLine",
    {
        "seq": int,
        "amount": str,
        "from": str,
        "to": str,
        "by": str,
        "because": str,
    },
)
CountQuestion = TypedDict(
    "CountQuestion",
    {
        "cards": list[str],
        "running": Union[int, None],
        "seen": int,
        "left": int,
        "deck": int,
        "tags": list["CountTag"],
    },
)
CountTag = TypedDict(
    "CountTag",
    {
        "rank": str,
        "adds": int,
    },
)
CutView = TypedDict(
    "CutView",
    {
        "least": int,
        "most": int,
        "cards": int,
    },
)
DealerCommandCard = TypedDict(
    "DealerCommandCard",
    {
        "type": Literal["card"],
        "card": Union[str, None],
    },
)
DealerCommandCut = TypedDict(
    "DealerCommandCut",
    {
        "type": Literal["cut"],
        "at": int,
    },
)
DealerCommandDeal = TypedDict(
    "DealerCommandDeal",
    {
        "type": Literal["deal"],
    },
)
DealerCommandDecks = TypedDict(
    "DealerCommandDecks",
    {
        "type": Literal["decks"],
        "reference": Union[str, None],
    },
)
DealerCommandPeek = TypedDict(
    "DealerCommandPeek",
    {
        "type": Literal["peek"],
        "natural": bool,
    },
)
DealerCommandReport = TypedDict(
    "DealerCommandReport",
    {
        "type": Literal["report"],
        "irregularity": "Irregularity",
    },
)
DealerCommandShowBurn = TypedDict(
    "DealerCommandShowBurn",
    {
        "type": Literal["show_burn"],
        "at": str,
        "cards": list[str],
    },
)
DealerCommandShuffle = TypedDict(
    "DealerCommandShuffle",
    {
        "type": Literal["shuffle"],
    },
)
DealerCommandTurn = TypedDict(
    "DealerCommandTurn",
    {
        "type": Literal["turn"],
        "card": str,
    },
)
DecisionValues = TypedDict(
    "DecisionValues",
    {
        "at": str,
        "acts": list["ActValueView"],
    },
)
DecksView = TypedDict(
    "DecksView",
    {
        "cards": list[str],
        "times": int,
    },
)
EventView = TypedDict(
    "EventView",
    {
        "id": int,
        "at": int,
        "who": str,
        "what": str,
        "whom": Union[str, None],
        "more": str,
    },
)
Events = TypedDict(
    "Events",
    {
        "events": list["EventView"],
        "more": bool,
    },
)
FigureView = TypedDict(
    "FigureView",
    {
        "value": int,
        "standard_error": Union[int, None],
    },
)
FromClient = TypedDict(
    "FromClient",
    {
        "id": str,
        "do": "Command",
    },
)
FromHouseAccount = TypedDict(
    "FromHouseAccount",
    {
        "type": Literal["account"],
        "name": str,
        "balance": str,
    },
)
FromHouseAnswer = TypedDict(
    "FromHouseAnswer",
    {
        "type": Literal["answer"],
        "id": str,
        "ok": bool,
        "seq": Union[int, None],
        "refusal": Union["Refusal", None],
    },
)
FromHouseAway = TypedDict(
    "FromHouseAway",
    {
        "type": Literal["away"],
        "refusal": "Refusal",
    },
)
FromHouseChange = TypedDict(
    "FromHouseChange",
    {
        "type": Literal["change"],
        "version": int,
        "number": int,
        "change": "ViewChange",
    },
)
FromHouseClosing = TypedDict(
    "FromHouseClosing",
    {
        "type": Literal["closing"],
    },
)
FromHouseEvent = TypedDict(
    "FromHouseEvent",
    {
        "type": Literal["event"],
        "version": int,
        "events": list[str],
        "story": list["StoryLine"],
        "number": int,
        "change": Union["ViewChange", None],
    },
)
FromHouseHead = TypedDict(
    "FromHouseHead",
    {
        "type": Literal["head"],
        "seq": int,
        "hash": str,
    },
)
FromHouseHello = TypedDict(
    "FromHouseHello",
    {
        "type": Literal["hello"],
        "protocol": int,
    },
)
FromHouseLobby = TypedDict(
    "FromHouseLobby",
    {
        "type": Literal["lobby"],
        "tables": list["LobbyTable"],
        "closed": list[str],
    },
)
FromHouseSession = TypedDict(
    "FromHouseSession",
    {
        "type": Literal["session"],
        "since": Union[int, None],
        "now": int,
        "minutes_today": int,
        "net": str,
        "net_today": str,
        "loss": "BoundView",
        "minutes": "BoundView",
        "held": Union["Refusal", None],
    },
)
FromHouseState = TypedDict(
    "FromHouseState",
    {
        "type": Literal["state"],
        "version": int,
        "number": int,
        "view": "View",
    },
)
FromHouseTable = TypedDict(
    "FromHouseTable",
    {
        "type": Literal["table"],
        "about": "AboutTable",
    },
)
FromSupervisor = TypedDict(
    "FromSupervisor",
    {
        "id": str,
        "do": "SupervisorCommand",
    },
)
GameStatistics = TypedDict(
    "GameStatistics",
    {
        "game": str,
        "title": str,
        "rounds": int,
        "seconds": int,
        "net": str,
        "best": "SwingView",
        "worst": "SwingView",
        "wagers": list["CircleStatistics"],
    },
)
GradeView = TypedDict(
    "GradeView",
    {
        "right": bool,
        "answer": str,
        "best": str,
        "cost": int,
        "question": "QuestionView",
        "over": Union["HandOver", None],
        "index": Union["IndexView", None],
    },
)
HandOver = TypedDict(
    "HandOver",
    {
        "own": list[list[str]],
        "dealer": list[str],
        "net": int,
    },
)
HandShown = TypedDict(
    "HandShown",
    {
        "own": list[list[str]],
        "hand": int,
        "dealer": list[str],
        "acts": list["ActValueView"],
    },
)
Holds0 = TypedDict(
    "Holds0",
    {
        "hard": int,
    },
)
Holds1 = TypedDict(
    "Holds1",
    {
        "soft": int,
    },
)
Holds2 = TypedDict(
    "Holds2",
    {
        "hand": str,
    },
)
IndexView = TypedDict(
    "IndexView",
    {
        "from": int,
        "below": str,
        "above": str,
    },
)
Irregularity = TypedDict(
    "Irregularity",
    {
        "kind": str,
        "place": NotRequired["Place"],
        "card": NotRequired[str],
    },
)
KindView = TypedDict(
    "KindView",
    {
        "kind": str,
        "words": str,
        "clause": str,
        "has_place": bool,
        "has_card": bool,
    },
)
LaterView = TypedDict(
    "LaterView",
    {
        "most": Union[str, None],
        "from": int,
    },
)
LobbyTable = TypedDict(
    "LobbyTable",
    {
        "table": str,
        "taken": int,
        "meter": Union[str, None],
        "watchable": bool,
        "open": bool,
        "players": list[str],
        "spectators": int,
        "trouble": Union["Refusal", None],
        "house_edge": Union[int, None],
        "round_seconds": Union[int, None],
    },
)
LogIn = TypedDict(
    "LogIn",
    {
        "name": str,
        "password": str,
    },
)
LogOut = TypedDict(
    "LogOut",
    {
        "everywhere": bool,
    },
)
Me = TypedDict(
    "Me",
    {
        "name": str,
        "kind": "Kind",
        "role": "Role",
        "balance": str,
        "racks": list["RackView"],
        "broke": bool,
        "session": "SessionView",
    },
)
MixView = TypedDict(
    "MixView",
    {
        "stage": "MixStage",
        "answered": Union[bool, None],
        "list": list["CommitmentView"],
    },
)
NewName = TypedDict(
    "NewName",
    {
        "name": str,
    },
)
NewPassword = TypedDict(
    "NewPassword",
    {
        "password": str,
    },
)
NewPerson = TypedDict(
    "NewPerson",
    {
        "name": str,
        "kind": "Kind",
        "role": "Role",
        "password": NotRequired[str],
    },
)
NewRole = TypedDict(
    "NewRole",
    {
        "role": "Role",
    },
)
NewSuspension = TypedDict(
    "NewSuspension",
    {
        "until": NotRequired[int],
        "because": str,
    },
)
NewToken = TypedDict(
    "NewToken",
    {
        "label": str,
    },
)
OddsLineChart = TypedDict(
    "OddsLineChart",
    {
        "type": Literal["chart"],
        "table": str,
        "ups": list[str],
        "rows": list["ChartRow"],
    },
)
OddsLineEnd = TypedDict(
    "OddsLineEnd",
    {
        "type": Literal["end"],
        "complete": bool,
    },
)
OddsLineOption = TypedDict(
    "OddsLineOption",
    {
        "type": Literal["option"],
        "key": str,
        "to": str,
        "changes": list["OptionChange"],
        "refused": Union[str, None],
    },
)
OddsLineProgress = TypedDict(
    "OddsLineProgress",
    {
        "type": Literal["progress"],
        "part": "OddsPart",
        "done": int,
        "of": int,
    },
)
OddsLineRemoval = TypedDict(
    "OddsLineRemoval",
    {
        "type": Literal["removal"],
        "wagers": list["RemovalView"],
    },
)
OddsLineTable = TypedDict(
    "OddsLineTable",
    {
        "type": Literal["table"],
        "game": str,
        "title": str,
        "options": list["OddsOption"],
        "cards": list["CardCount"],
        "stake": str,
    },
)
OddsLineWagers = TypedDict(
    "OddsLineWagers",
    {
        "type": Literal["wagers"],
        "wagers": list["WagerOdds"],
    },
)
OddsOption = TypedDict(
    "OddsOption",
    {
        "key": str,
        "meaning": str,
        "value": str,
        "default": str,
        "choices": list[str],
        "values": str,
        "bears": bool,
        "sources": list[str],
    },
)
OddsTable = TypedDict(
    "OddsTable",
    {
        "game": str,
        "title": str,
        "options": list["OddsOption"],
        "cards": list["CardCount"],
        "stake": str,
    },
)
OddsView = TypedDict(
    "OddsView",
    {
        "pays": int,
        "to": int,
    },
)
Offer = TypedDict(
    "Offer",
    {
        "at": str,
        "call": str,
        "words": str,
        "stake": Union[str, None],
        "loses": Union[str, None],
        "free": bool,
        "amounts": Union["AmountsView", None],
        "circle": Union[str, None],
        "hand": Union[int, None],
    },
)
OnCircle = TypedDict(
    "OnCircle",
    {
        "circle": str,
        "amount": str,
    },
)
OpenTable = TypedDict(
    "OpenTable",
    {
        "table": str,
        "game": str,
        "title": str,
        "about": "AboutTable",
        "betting_seconds": int,
        "taken": int,
        "seats": int,
        "meter": Union[str, None],
        "awaited": "AwaitedWhat",
        "watchable": bool,
        "open": bool,
        "players": list[str],
        "spectators": int,
        "trouble": Union["Refusal", None],
        "house_edge": Union[int, None],
        "round_seconds": Union[int, None],
    },
)
OptionChange = TypedDict(
    "OptionChange",
    {
        "bet": str,
        "policy": str,
        "change": Union[int, None],
    },
)
OptionTried = TypedDict(
    "OptionTried",
    {
        "key": str,
        "to": str,
        "changes": list["OptionChange"],
        "refused": Union[str, None],
    },
)
OptionView = TypedDict(
    "OptionView",
    {
        "key": str,
        "kind": str,
        "scope": str,
        "values": str,
        "words": list[str],
        "least": Union[str, None],
        "most": Union[str, None],
        "private": bool,
        "default": str,
        "meaning": str,
        "sources": list[str],
    },
)
Order = TypedDict(
    "Order",
    {
        "order": str,
        "at": NotRequired[str],
    },
)
OrdersView = TypedDict(
    "OrdersView",
    {
        "table": str,
        "seq": Union[int, None],
        "round": int,
        "awaited": "AwaitedWhat",
        "outcomes": list["Order"],
        "prompt": str,
        "kinds": list["KindView"],
        "waiting": list["WaitingCorrection"],
    },
)
OutcomeView = TypedDict(
    "OutcomeView",
    {
        "name": str,
        "net": int,
        "probability": int,
        "simulated": bool,
    },
)
OwnLimits = TypedDict(
    "OwnLimits",
    {
        "loss": NotRequired[Union[str, None]],
        "minutes": NotRequired[Union[int, None]],
    },
)
Parameter0 = TypedDict(
    "Parameter0",
    {
        "amount": str,
    },
)
Parameter1 = TypedDict(
    "Parameter1",
    {
        "count": int,
    },
)
Parameter2 = TypedDict(
    "Parameter2",
    {
        "time": int,
    },
)
Parameter3 = TypedDict(
    "Parameter3",
    {
        "word": str,
    },
)
Party1 = TypedDict(
    "Party1",
    {
        "rack": str,
    },
)
Party2 = TypedDict(
    "Party2",
    {
        "player": str,
    },
)
PayView = TypedDict(
    "PayView",
    {
        "circle": str,
        "code": str,
        "words": str,
        "brief": str,
        "odds": "OddsView",
        "clause": str,
    },
)
People = TypedDict(
    "People",
    {
        "people": list["PersonView"],
        "more": bool,
    },
)
PersonView = TypedDict(
    "PersonView",
    {
        "name": str,
        "kind": "Kind",
        "role": "Role",
        "since": int,
        "tokens": list[str],
        "excluded_until": Union[int, None],
        "suspension": Union["SuspensionView", None],
    },
)
PileView = TypedDict(
    "PileView",
    {
        "left": int,
        "discarded": int,
        "before_cut_card": Union[int, None],
        "cut_card_reached": bool,
    },
)
Place1 = TypedDict(
    "Place1",
    {
        "hand": "PlaceHand",
    },
)
PlaceHand = TypedDict(
    "PlaceHand",
    {
        "seat": int,
        "hand": int,
    },
)
PlayedSession = TypedDict(
    "PlayedSession",
    {
        "table": str,
        "game": str,
        "title": str,
        "since": int,
        "seconds": int,
        "rounds": int,
        "net": str,
    },
)
PlayerCommandAct = TypedDict(
    "PlayerCommandAct",
    {
        "type": Literal["act"],
        "call": str,
        "amount": Union[str, None],
        "hand": NotRequired[int],
        "at": NotRequired[str],
    },
)
PlayerCommandAsk = TypedDict(
    "PlayerCommandAsk",
    {
        "type": Literal["ask"],
        "seat": int,
    },
)
PlayerCommandBuyIn = TypedDict(
    "PlayerCommandBuyIn",
    {
        "type": Literal["buy_in"],
        "amount": str,
    },
)
PlayerCommandChoose = TypedDict(
    "PlayerCommandChoose",
    {
        "type": Literal["choose"],
        "choice": str,
    },
)
PlayerCommandClear = TypedDict(
    "PlayerCommandClear",
    {
        "type": Literal["clear"],
        "at": NotRequired[str],
    },
)
PlayerCommandCommit = TypedDict(
    "PlayerCommandCommit",
    {
        "type": Literal["commit"],
        "commitment": Union[str, None],
    },
)
PlayerCommandCompany = TypedDict(
    "PlayerCommandCompany",
    {
        "type": Literal["company"],
        "players": int,
    },
)
PlayerCommandConsent = TypedDict(
    "PlayerCommandConsent",
    {
        "type": Literal["consent"],
        "seat": int,
        "player": str,
    },
)
PlayerCommandCut = TypedDict(
    "PlayerCommandCut",
    {
        "type": Literal["cut"],
        "at": Union[int, None],
    },
)
PlayerCommandInspect = TypedDict(
    "PlayerCommandInspect",
    {
        "type": Literal["inspect"],
    },
)
PlayerCommandLeave = TypedDict(
    "PlayerCommandLeave",
    {
        "type": Literal["leave"],
        "at": NotRequired[str],
    },
)
PlayerCommandOpen = TypedDict(
    "PlayerCommandOpen",
    {
        "type": Literal["open"],
        "bytes": str,
    },
)
PlayerCommandReady = TypedDict(
    "PlayerCommandReady",
    {
        "type": Literal["ready"],
    },
)
PlayerCommandRevoke = TypedDict(
    "PlayerCommandRevoke",
    {
        "type": Literal["revoke"],
        "seat": int,
        "player": str,
    },
)
PlayerCommandShowBurn = TypedDict(
    "PlayerCommandShowBurn",
    {
        "type": Literal["show_burn"],
    },
)
PlayerCommandSit = TypedDict(
    "PlayerCommandSit",
    {
        "type": Literal["sit"],
        "seat": int,
        "behind": NotRequired[bool],
    },
)
PlayerCommandSpread = TypedDict(
    "PlayerCommandSpread",
    {
        "type": Literal["spread"],
    },
)
PlayerCommandWager = TypedDict(
    "PlayerCommandWager",
    {
        "type": Literal["wager"],
        "amounts": list["OnCircle"],
        "at": NotRequired[str],
    },
)
PointView = TypedDict(
    "PointView",
    {
        "at": int,
        "total": str,
        "gain": str,
        "table": Union[str, None],
        "round": Union[int, None],
    },
)
PrivateTable = TypedDict(
    "PrivateTable",
    {
        "game": str,
        "terms": dict[str, str],
    },
)
ProspectsView = TypedDict(
    "ProspectsView",
    {
        "win": int,
        "push": int,
        "lose": int,
    },
)
Purse = TypedDict(
    "Purse",
    {
        "name": str,
        "balance": str,
    },
)
QuestionView = TypedDict(
    "QuestionView",
    {
        "name": str,
        "drill": str,
        "shown": Union["HandShown", None],
        "field": Union[str, None],
        "chart": Union[str, None],
        "true_count": Union[int, None],
        "count": Union["CountQuestion", None],
    },
)
RackView = TypedDict(
    "RackView",
    {
        "table": str,
        "chips": str,
        "staked": str,
    },
)
RankEffect = TypedDict(
    "RankEffect",
    {
        "rank": str,
        "change": int,
    },
)
Refusal = TypedDict(
    "Refusal",
    {
        "code": str,
        "parameters": dict[str, "Parameter"],
        "source": "Source",
        "sentence": str,
    },
)
RemovalView = TypedDict(
    "RemovalView",
    {
        "bet": str,
        "policy": str,
        "ranks": list["RankEffect"],
        "countable": bool,
    },
)
ResultView = TypedDict(
    "ResultView",
    {
        "hand": int,
        "circle": str,
        "stake": Union[str, None],
        "gain": str,
        "end": "WagerEnd",
        "odds": Union["OddsView", None],
        "why": str,
        "clause": str,
    },
)
ReviewView = TypedDict(
    "ReviewView",
    {
        "rounds": list["ReviewedRound"],
        "before": Union[int, None],
    },
)
ReviewedDecision = TypedDict(
    "ReviewedDecision",
    {
        "seq": int,
        "at": str,
        "field": Union[str, None],
        "acts": list["ActValueView"],
        "chosen": int,
        "grade": "Grade",
    },
)
ReviewedRound = TypedDict(
    "ReviewedRound",
    {
        "table": str,
        "game": str,
        "title": str,
        "options": str,
        "round": int,
        "at": int,
        "net": Union[str, None],
        "review": Union["RoundReview", None],
        "no_review": Union["NoReview", None],
    },
)
RoundLine = TypedDict(
    "RoundLine",
    {
        "table": str,
        "game": str,
        "title": str,
        "round": int,
        "shoe": int,
        "at": int,
        "void": bool,
        "net": Union[str, None],
        "wagers": list["WagerLine"],
        "corrections": list["CorrectionLine"],
    },
)
RoundReview = TypedDict(
    "RoundReview",
    {
        "expectation": int,
        "play": int,
        "luck": int,
        "decisions": list["ReviewedDecision"],
        "unvalued": int,
    },
)
RoundSpan = TypedDict(
    "RoundSpan",
    {
        "first": int,
        "last": int,
    },
)
RoundStep = TypedDict(
    "RoundStep",
    {
        "seq": int,
        "version": int,
        "events": list[str],
        "story": list["StoryLine"],
        "view": "View",
    },
)
RoundView = TypedDict(
    "RoundView",
    {
        "about": "AboutTable",
        "round": int,
        "shoe": int,
        "at": int,
        "void": bool,
        "steps": list["RoundStep"],
        "wagers": list["WagerLine"],
        "corrections": list["CorrectionLine"],
        "transcript": str,
    },
)
RoundsView = TypedDict(
    "RoundsView",
    {
        "rounds": list["RoundLine"],
        "before": Union[int, None],
    },
)
RulingView = TypedDict(
    "RulingView",
    {
        "id": str,
        "title": str,
        "decision": str,
    },
)
SeatChange = TypedDict(
    "SeatChange",
    {
        "seat": int,
        "name": NotRequired[Union[str, None]],
        "bot": NotRequired[bool],
        "away": NotRequired[bool],
        "waits": NotRequired[bool],
        "rack": NotRequired[Union[str, None]],
        "ready": NotRequired[bool],
        "wagers": NotRequired[list["WagerView"]],
        "hands": NotRequired[list[list[str]]],
        "lifted": NotRequired[list[int]],
        "sideways": NotRequired[list[bool]],
        "surrendered": NotRequired[list[bool]],
        "holds": NotRequired[list[Union["Holds", None]]],
        "playing": NotRequired[Union[int, None]],
        "results": NotRequired[list["ResultView"]],
        "behind": NotRequired[list["BehindView"]],
        "asking": NotRequired[list[str]],
    },
)
SeatView = TypedDict(
    "SeatView",
    {
        "seat": int,
        "name": Union[str, None],
        "bot": bool,
        "away": bool,
        "waits": bool,
        "rack": Union[str, None],
        "ready": bool,
        "wagers": list["WagerView"],
        "hands": list[list[str]],
        "lifted": list[int],
        "sideways": list[bool],
        "surrendered": list[bool],
        "holds": list[Union["Holds", None]],
        "playing": Union[int, None],
        "results": list["ResultView"],
        "behind": list["BehindView"],
        "asking": list[str],
    },
)
SelfExclusion = TypedDict(
    "SelfExclusion",
    {
        "until": int,
    },
)
SessionView = TypedDict(
    "SessionView",
    {
        "since": Union[int, None],
        "now": int,
        "minutes_today": int,
        "net": str,
        "net_today": str,
        "loss": "BoundView",
        "minutes": "BoundView",
        "held": Union["Refusal", None],
    },
)
ShoeCutView = TypedDict(
    "ShoeCutView",
    {
        "by": Union[str, None],
        "at": int,
    },
)
ShoeRecordView = TypedDict(
    "ShoeRecordView",
    {
        "table": str,
        "game": str,
        "shoe": int,
        "at": int,
        "seal": str,
        "size": int,
        "decks": Union["DecksView", None],
        "house": str,
        "contributions": list["ContributionView"],
        "cuts": list["ShoeCutView"],
        "cut_least": int,
        "cut_most": int,
        "recut_by": Union[str, None],
        "unplayed": Union[str, None],
        "dealt": list[str],
        "salt": Union[str, None],
        "order": Union[list[str], None],
        "rounds": Union["RoundSpan", None],
        "first_entry": int,
        "last_entry": int,
    },
)
ShoeView = TypedDict(
    "ShoeView",
    {
        "number": int,
        "seal": str,
        "size": int,
        "batch": int,
    },
)
SignUp = TypedDict(
    "SignUp",
    {
        "name": NotRequired[str],
        "password": str,
    },
)
SignView = TypedDict(
    "SignView",
    {
        "code": str,
        "words": str,
        "clause": str,
    },
)
SourceClause = TypedDict(
    "SourceClause",
    {
        "type": Literal["clause"],
        "id": str,
    },
)
SourceHouse = TypedDict(
    "SourceHouse",
    {
        "type": Literal["house"],
    },
)
SourceOwn = TypedDict(
    "SourceOwn",
    {
        "type": Literal["own"],
    },
)
SourceRuling = TypedDict(
    "SourceRuling",
    {
        "type": Literal["ruling"],
        "id": str,
    },
)
SourceTerm = TypedDict(
    "SourceTerm",
    {
        "type": Literal["term"],
        "id": str,
    },
)
Statistics = TypedDict(
    "Statistics",
    {
        "seconds": int,
        "pending": bool,
        "games": list["GameStatistics"],
        "sessions": list["PlayedSession"],
    },
)
StoryLineActed = TypedDict(
    "StoryLineActed",
    {
        "type": Literal["acted"],
        "at": str,
        "call": str,
        "words": str,
        "timed_out": bool,
    },
)
StoryLineAdmitted = TypedDict(
    "StoryLineAdmitted",
    {
        "type": Literal["admitted"],
        "at": str,
    },
)
StoryLineBlackjack = TypedDict(
    "StoryLineBlackjack",
    {
        "type": Literal["blackjack"],
        "seat": int,
    },
)
StoryLineBoughtIn = TypedDict(
    "StoryLineBoughtIn",
    {
        "type": Literal["bought-in"],
        "at": str,
        "amount": str,
    },
)
StoryLineBurnForgotten = TypedDict(
    "StoryLineBurnForgotten",
    {
        "type": Literal["burn-forgotten"],
    },
)
StoryLineBurnShown = TypedDict(
    "StoryLineBurnShown",
    {
        "type": Literal["burn-shown"],
        "cards": list[str],
    },
)
StoryLineBurned = TypedDict(
    "StoryLineBurned",
    {
        "type": Literal["burned"],
    },
)
StoryLineCard = TypedDict(
    "StoryLineCard",
    {
        "type": Literal["card"],
        "seat": int,
        "card": str,
    },
)
StoryLineCardsDue = TypedDict(
    "StoryLineCardsDue",
    {
        "type": Literal["cards-due"],
    },
)
StoryLineChose = TypedDict(
    "StoryLineChose",
    {
        "type": Literal["chose"],
        "at": str,
        "choice": str,
        "words": str,
    },
)
StoryLineCommitted = TypedDict(
    "StoryLineCommitted",
    {
        "type": Literal["committed"],
        "players": int,
    },
)
StoryLineConsented = TypedDict(
    "StoryLineConsented",
    {
        "type": Literal["consented"],
        "seat": int,
        "player": str,
    },
)
StoryLineCorrected = TypedDict(
    "StoryLineCorrected",
    {
        "type": Literal["corrected"],
        "round": int,
        "amount": str,
        "from": str,
        "to": str,
    },
)
StoryLineCut = TypedDict(
    "StoryLineCut",
    {
        "type": Literal["cut"],
        "at": str,
    },
)
StoryLineCutByDealer = TypedDict(
    "StoryLineCutByDealer",
    {
        "type": Literal["cut-by-dealer"],
    },
)
StoryLineCutCard = TypedDict(
    "StoryLineCutCard",
    {
        "type": Literal["cut-card"],
    },
)
StoryLineCutRefused = TypedDict(
    "StoryLineCutRefused",
    {
        "type": Literal["cut-refused"],
        "at": str,
    },
)
StoryLineDealer = TypedDict(
    "StoryLineDealer",
    {
        "type": Literal["dealer"],
        "player": str,
    },
)
StoryLineDealerBlackjack = TypedDict(
    "StoryLineDealerBlackjack",
    {
        "type": Literal["dealer-blackjack"],
    },
)
StoryLineDealerCard = TypedDict(
    "StoryLineDealerCard",
    {
        "type": Literal["dealer-card"],
        "card": str,
    },
)
StoryLineDealerTotal = TypedDict(
    "StoryLineDealerTotal",
    {
        "type": Literal["dealer-total"],
        "holds": "Holds",
    },
)
StoryLineDealersCard = TypedDict(
    "StoryLineDealersCard",
    {
        "type": Literal["dealers-card"],
    },
)
StoryLineDecision = TypedDict(
    "StoryLineDecision",
    {
        "type": Literal["decision"],
        "order": str,
        "words": str,
    },
)
StoryLineDiscarded = TypedDict(
    "StoryLineDiscarded",
    {
        "type": Literal["discarded"],
        "card": str,
    },
)
StoryLineDrawn = TypedDict(
    "StoryLineDrawn",
    {
        "type": Literal["drawn"],
        "card": str,
    },
)
StoryLineExtended = TypedDict(
    "StoryLineExtended",
    {
        "type": Literal["extended"],
        "at": str,
    },
)
StoryLineFaceDown = TypedDict(
    "StoryLineFaceDown",
    {
        "type": Literal["face-down"],
    },
)
StoryLineHandTotal = TypedDict(
    "StoryLineHandTotal",
    {
        "type": Literal["hand-total"],
        "seat": int,
        "hand": int,
        "holds": "Holds",
    },
)
StoryLineHeld = TypedDict(
    "StoryLineHeld",
    {
        "type": Literal["held"],
        "at": str,
    },
)
StoryLineInFront = TypedDict(
    "StoryLineInFront",
    {
        "type": Literal["in-front"],
        "at": str,
        "player": str,
    },
)
StoryLineInspected = TypedDict(
    "StoryLineInspected",
    {
        "type": Literal["inspected"],
        "at": str,
    },
)
StoryLineLeft = TypedDict(
    "StoryLineLeft",
    {
        "type": Literal["left"],
        "at": str,
        "player": str,
    },
)
StoryLineLoaded = TypedDict(
    "StoryLineLoaded",
    {
        "type": Literal["loaded"],
    },
)
StoryLineNewCards = TypedDict(
    "StoryLineNewCards",
    {
        "type": Literal["new-cards"],
    },
)
StoryLineNoDealerBlackjack = TypedDict(
    "StoryLineNoDealerBlackjack",
    {
        "type": Literal["no-dealer-blackjack"],
    },
)
StoryLineNoMoreBets = TypedDict(
    "StoryLineNoMoreBets",
    {
        "type": Literal["no-more-bets"],
    },
)
StoryLineNotOpened = TypedDict(
    "StoryLineNotOpened",
    {
        "type": Literal["not-opened"],
        "places": list[str],
    },
)
StoryLineOrdered = TypedDict(
    "StoryLineOrdered",
    {
        "type": Literal["ordered"],
        "by": str,
        "because": str,
    },
)
StoryLineReaderOut = TypedDict(
    "StoryLineReaderOut",
    {
        "type": Literal["reader-out"],
    },
)
StoryLineReaderRepaired = TypedDict(
    "StoryLineReaderRepaired",
    {
        "type": Literal["reader-repaired"],
    },
)
StoryLineRemoved = TypedDict(
    "StoryLineRemoved",
    {
        "type": Literal["removed"],
        "card": str,
    },
)
StoryLineReported = TypedDict(
    "StoryLineReported",
    {
        "type": Literal["reported"],
        "kind": str,
        "words": str,
    },
)
StoryLineRevealed = TypedDict(
    "StoryLineRevealed",
    {
        "type": Literal["revealed"],
        "shoe": int,
    },
)
StoryLineReversed = TypedDict(
    "StoryLineReversed",
    {
        "type": Literal["reversed"],
    },
)
StoryLineRevoked = TypedDict(
    "StoryLineRevoked",
    {
        "type": Literal["revoked"],
        "seat": int,
        "player": str,
    },
)
StoryLineSatDown = TypedDict(
    "StoryLineSatDown",
    {
        "type": Literal["sat-down"],
        "at": str,
        "player": str,
    },
)
StoryLineSealed = TypedDict(
    "StoryLineSealed",
    {
        "type": Literal["sealed"],
        "cards": int,
    },
)
StoryLineSettled = TypedDict(
    "StoryLineSettled",
    {
        "type": Literal["settled"],
        "at": str,
        "circle": str,
        "title": str,
        "end": "WagerEnd",
        "odds": Union["OddsView", None],
        "gain": str,
    },
)
StoryLineShuffled = TypedDict(
    "StoryLineShuffled",
    {
        "type": Literal["shuffled"],
        "cards": int,
    },
)
StoryLineSpreadFaceDown = TypedDict(
    "StoryLineSpreadFaceDown",
    {
        "type": Literal["spread-face-down"],
    },
)
StoryLineSpreadFaceUp = TypedDict(
    "StoryLineSpreadFaceUp",
    {
        "type": Literal["spread-face-up"],
    },
)
StoryLineTotal = TypedDict(
    "StoryLineTotal",
    {
        "type": Literal["total"],
        "seat": int,
        "holds": "Holds",
    },
)
StoryLineTurned = TypedDict(
    "StoryLineTurned",
    {
        "type": Literal["turned"],
        "card": str,
    },
)
SupervisorCommandApprove = TypedDict(
    "SupervisorCommandApprove",
    {
        "type": Literal["approve"],
        "correction": int,
    },
)
SupervisorCommandChangeDealer = TypedDict(
    "SupervisorCommandChangeDealer",
    {
        "type": Literal["change_dealer"],
        "dealer": str,
    },
)
SupervisorCommandCorrect = TypedDict(
    "SupervisorCommandCorrect",
    {
        "type": Literal["correct"],
        "round": int,
        "amount": str,
        "from": "Party",
        "to": "Party",
        "because": str,
    },
)
SupervisorCommandOrder = TypedDict(
    "SupervisorCommandOrder",
    {
        "type": Literal["order"],
        "order": "Order",
        "because": NotRequired[str],
    },
)
SupervisorCommandRefuse = TypedDict(
    "SupervisorCommandRefuse",
    {
        "type": Literal["refuse"],
        "correction": int,
    },
)
SupervisorCommandReport = TypedDict(
    "SupervisorCommandReport",
    {
        "type": Literal["report"],
        "irregularity": "Irregularity",
        "injected": NotRequired[bool],
    },
)
SupervisorCommandUnseat = TypedDict(
    "SupervisorCommandUnseat",
    {
        "type": Literal["unseat"],
        "at": str,
        "because": str,
    },
)
SuspensionView = TypedDict(
    "SuspensionView",
    {
        "until": Union[int, None],
    },
)
SwingView = TypedDict(
    "SwingView",
    {
        "table": str,
        "round": int,
        "net": str,
    },
)
TermView = TypedDict(
    "TermView",
    {
        "key": str,
        "value": str,
        "meaning": str,
    },
)
TokenView = TypedDict(
    "TokenView",
    {
        "label": str,
        "token": str,
        "until": int,
    },
)
TrainingAnswer = TypedDict(
    "TrainingAnswer",
    {
        "question": str,
        "answer": str,
        "milliseconds": int,
    },
)
TrainingDay = TypedDict(
    "TrainingDay",
    {
        "day": int,
        "drill": str,
        "answers": int,
        "right": int,
        "seconds": int,
        "cost": int,
    },
)
TrainingView = TypedDict(
    "TrainingView",
    {
        "graded": Union["GradeView", None],
        "question": "QuestionView",
        "drills": list[str],
        "decisions": int,
        "boxes": list[int],
        "days": list["TrainingDay"],
    },
)
TrainingWanted = TypedDict(
    "TrainingWanted",
    {
        "drill": str,
        "set": NotRequired[str],
        "field": NotRequired[str],
        "answer": NotRequired["TrainingAnswer"],
    },
)
ValuesView = TypedDict(
    "ValuesView",
    {
        "round": int,
        "decisions": list["DecisionValues"],
    },
)
View = TypedDict(
    "View",
    {
        "seats": list["SeatView"],
        "table": str,
        "round": int,
        "betting": bool,
        "dealer": list[str],
        "dealer_holds": Union["Holds", None],
        "burned": int,
        "shoe": Union["ShoeView", None],
        "pile": Union["PileView", None],
        "mix": Union["MixView", None],
        "awaited": "Awaited",
        "me": Union[int, None],
        "mine": list[str],
        "cut": Union["CutView", None],
        "offers": list["Offer"],
        "choices": list["Choice"],
        "outcomes": list["Order"],
        "spread": Union[bool, None],
        "meter": Union[str, None],
        "prompt": str,
        "procedure": list[str],
        "trouble": Union["Refusal", None],
        "barred": Union["Refusal", None],
        "shuffle_in": Union[int, None],
        "frozen": Union["Refusal", None],
        "company": Union["CompanyView", None],
    },
)
ViewChange = TypedDict(
    "ViewChange",
    {
        "seats": NotRequired[list["SeatChange"]],
        "table": NotRequired[str],
        "round": NotRequired[int],
        "betting": NotRequired[bool],
        "dealer": NotRequired[list[str]],
        "dealer_holds": NotRequired[Union["Holds", None]],
        "burned": NotRequired[int],
        "shoe": NotRequired[Union["ShoeView", None]],
        "pile": NotRequired[Union["PileView", None]],
        "mix": NotRequired[Union["MixView", None]],
        "awaited": NotRequired["Awaited"],
        "me": NotRequired[Union[int, None]],
        "mine": NotRequired[list[str]],
        "cut": NotRequired[Union["CutView", None]],
        "offers": NotRequired[list["Offer"]],
        "choices": NotRequired[list["Choice"]],
        "outcomes": NotRequired[list["Order"]],
        "spread": NotRequired[Union[bool, None]],
        "meter": NotRequired[Union[str, None]],
        "prompt": NotRequired[str],
        "procedure": NotRequired[list[str]],
        "trouble": NotRequired[Union["Refusal", None]],
        "barred": NotRequired[Union["Refusal", None]],
        "shuffle_in": NotRequired[Union[int, None]],
        "frozen": NotRequired[Union["Refusal", None]],
        "company": NotRequired[Union["CompanyView", None]],
    },
)
WagerLine = TypedDict(
    "WagerLine",
    {
        "name": str,
        "at": str,
        "hand": int,
        "circle": str,
        "title": str,
        "stake": Union[str, None],
        "free": bool,
        "gain": str,
        "clause": str,
    },
)
WagerOdds = TypedDict(
    "WagerOdds",
    {
        "bet": str,
        "policy": str,
        "ev": int,
        "ev_exact": Union[str, None],
        "element_of_risk": "FigureView",
        "sd": "FigureView",
        "hit_frequency": "FigureView",
        "outcomes": list["OutcomeView"],
        "notes": list[str],
    },
)
WagerView = TypedDict(
    "WagerView",
    {
        "hand": int,
        "circle": str,
        "amount": str,
        "free": bool,
    },
)
WaitingCorrection = TypedDict(
    "WaitingCorrection",
    {
        "id": int,
        "round": int,
        "amount": str,
        "from": str,
        "to": str,
        "by": str,
        "because": str,
        "at": int,
        "until": int,
    },
)
AwaitedWhat = Union[Literal["player"], Literal["decks"], Literal["inspection"], Literal["shuffle"], Literal["commitments"], Literal["openings"], Literal["cut"], Literal["burn"], Literal["wagers"], Literal["act"], Literal["dealer"], Literal["reveal"], Literal["supervisor"], Literal["choice"]]
ClientCommand = Union["ClientCommandWatch", "ClientCommandPing"]
Coach = Union[Literal["live"], Literal["after"], Literal["off"]]
Command = Union["Command0", "Command1", "Command2", "Command3"]
CostMethod = Union[Literal["exact"], Literal["at_least"], Literal["at_most"], Literal["about"]]
DealerCommand = Union["DealerCommandDecks", "DealerCommandShuffle", "DealerCommandCut", "DealerCommandDeal", "DealerCommandCard", "DealerCommandPeek", "DealerCommandTurn", "DealerCommandShowBurn", "DealerCommandReport"]
FromHouse = Union["FromHouseHello", "FromHouseAnswer", "FromHouseTable", "FromHouseAccount", "FromHouseSession", "FromHouseState", "FromHouseEvent", "FromHouseChange", "FromHouseHead", "FromHouseLobby", "FromHouseAway", "FromHouseClosing"]
Grade = Union[Literal["best"], Literal["close"], Literal["mistake"], Literal["blunder"], Literal["unsure"]]
Holds = Union["Holds0", "Holds1", "Holds2"]
Kind = Union[Literal["guest"], Literal["account"], Literal["bot"]]
MixStage = Union[Literal["commit"], Literal["open"], Literal["mixed"]]
NoReview = Union[Literal["void"], Literal["no_coach"], Literal["other_rules"], Literal["failed"]]
OddsLine = Union["OddsLineTable", "OddsLineWagers", "OddsLineChart", "OddsLineRemoval", "OddsLineOption", "OddsLineProgress", "OddsLineEnd"]
OddsPart = Union[Literal["wagers"], Literal["chart"], Literal["removal"], Literal["options"]]
Parameter = Union["Parameter0", "Parameter1", "Parameter2", "Parameter3"]
Party = Union[Literal["house"], "Party1", "Party2"]
Place = Union[Literal["dealer"], "Place1"]
PlayerCommand = Union["PlayerCommandSit", "PlayerCommandLeave", "PlayerCommandBuyIn", "PlayerCommandWager", "PlayerCommandClear", "PlayerCommandReady", "PlayerCommandInspect", "PlayerCommandSpread", "PlayerCommandCommit", "PlayerCommandOpen", "PlayerCommandShowBurn", "PlayerCommandConsent", "PlayerCommandRevoke", "PlayerCommandAsk", "PlayerCommandCompany", "PlayerCommandCut", "PlayerCommandAct", "PlayerCommandChoose"]
Role = Union[Literal["player"], Literal["dealer"], Literal["supervisor"], Literal["auditor"], Literal["operator"]]
Source = Union["SourceClause", "SourceRuling", "SourceTerm", "SourceOwn", "SourceHouse"]
StoryLine = Union["StoryLineSatDown", "StoryLineLeft", "StoryLineInFront", "StoryLineConsented", "StoryLineRevoked", "StoryLineAdmitted", "StoryLineBoughtIn", "StoryLineDealer", "StoryLineNewCards", "StoryLineCardsDue", "StoryLineSpreadFaceUp", "StoryLineSpreadFaceDown", "StoryLineInspected", "StoryLineSealed", "StoryLineShuffled", "StoryLineLoaded", "StoryLineCommitted", "StoryLineNotOpened", "StoryLineCutRefused", "StoryLineCut", "StoryLineCutByDealer", "StoryLineBurned", "StoryLineBurnShown", "StoryLineCutCard", "StoryLineRevealed", "StoryLineNoMoreBets", "StoryLineDealersCard", "StoryLineCard", "StoryLineDealerCard", "StoryLineFaceDown", "StoryLineTurned", "StoryLineTotal", "StoryLineHandTotal", "StoryLineDealerTotal", "StoryLineBlackjack", "StoryLineDealerBlackjack", "StoryLineNoDealerBlackjack", "StoryLineActed", "StoryLineSettled", "StoryLineReversed", "StoryLineReported", "StoryLineOrdered", "StoryLineDecision", "StoryLineChose", "StoryLineDrawn", "StoryLineDiscarded", "StoryLineRemoved", "StoryLineBurnForgotten", "StoryLineReaderOut", "StoryLineReaderRepaired", "StoryLineHeld", "StoryLineExtended", "StoryLineCorrected"]
SupervisorCommand = Union["SupervisorCommandReport", "SupervisorCommandOrder", "SupervisorCommandCorrect", "SupervisorCommandApprove", "SupervisorCommandRefuse", "SupervisorCommandUnseat", "SupervisorCommandChangeDealer"]
ValueMethod = Union[Literal["exact"], Literal["bound"], Literal["simulated"]]
WagerEnd = Union[Literal["pay"], Literal["pay-and-collect"], Literal["push"], Literal["take"], Literal["take-half"], Literal["return"], Literal["remove-lammer"], Literal["award"], Literal["envy"]]
