"""Verifies the exported log of a house's table.

    python verify_log.py war-1.log [SEQ:HASH ...]

The heads are those that you kept; a log that was rewritten does not fit them.
"""

import sys
from pathlib import Path

import pitboss

if len(sys.argv) < 2:
    sys.exit("expected a log: python verify_log.py war-1.log [SEQ:HASH ...]")
verdict = pitboss.verify(Path(sys.argv[1]), sys.argv[2:])
print(verdict)
sys.exit(not verdict.is_clean)
