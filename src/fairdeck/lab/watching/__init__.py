"""Live logs of decks, watched for months at one level.

* `monitor` is the loop that follows the logs: read, count, judge, commit;
* `logs` are what it reads: `live_log` (a file that grows), `pipe`, `deck_lines` (lines to decks);
* `analysis` raises the alarm, by all decks and by `windows`, and dates the fault by `change_point`;
* `store` keeps all that is needed to go on after a crash; `status` says where it stands.
"""
