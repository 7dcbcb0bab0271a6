"""A bot that plays rounds of Casino War at a live house, and goes to war whenever it can.

    python bot.py [ADDRESS [TOKEN [ROUNDS]]]
"""

import asyncio
import sys

import pitboss


async def play(address: str, token: str | None, rounds: int) -> None:
    async with pitboss.connect(address, token) as house:
        tables = await house.tables()
        name = next(table["table"] for table in tables if table["game"] == "casino-war")
        table = await house.watch(name)
        seat = await table.sit()
        await table.buy_in(100)
        played, last = 0, 0
        while played < rounds:
            view = table.view
            mine = view["seats"][seat - 1]
            if mine["results"] and view["betting"] and view["round"] != last:
                played, last = played + 1, view["round"]
                print(f"round {played}: {mine['results']}")
            elif view["cut"]:
                await table.cut(view["cut"]["least"])
            elif view["awaited"]["what"] == "inspection":
                await table.inspect()
            elif view["offers"]:
                calls = [offer["call"] for offer in view["offers"]]
                await table.act("war" if "war" in calls else calls[0])
            elif view["betting"] and not mine["wagers"]:
                await table.wager(10)
                await table.ready()
            else:
                await table.change()
        await table.leave()
        verdict = pitboss.verify(await house.log(name))
        print("the log of the table:", "clean" if verdict.is_clean else verdict)


if __name__ == "__main__":
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8042"
    token = sys.argv[2] if len(sys.argv) > 2 and sys.argv[2] else None
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    asyncio.run(play(address, token, rounds))
