# Decks of PostgreSQL's ORDER BY random(), one on each line, from a server of this run: sh shuffles.postgres.sh PROGRAMS FOLDER CARDS
data=$2/data && rm -rf "$2" && mkdir "$2" && chmod 777 "$2" && trap 'kill -INT $(head -1 "$data/postmaster.pid"); wait' EXIT
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; else "$@"; fi; } # a server refuses root
as "$1/initdb" -D "$data" -U deck --auth trust >/dev/null || exit 2
as "$1/postgres" -D "$data" -k "$2" -h '' >/dev/null 2>&1 &
psql="$1/psql -h $2 -U deck -d postgres -At"
until $psql -c 'SELECT 1' >/dev/null 2>&1; do sleep .1; done
yes "SELECT string_agg(card::text, ' ' ORDER BY random()) FROM generate_series(1, 256) deck, generate_series(0, $3 - 1) card GROUP BY deck;" | $psql
