"""Writes the documents of the workload: generate.py FOLDER TAXIS LOGS; the same numbers give the same documents."""

import datetime
import json
import pathlib
import random
import sys


def ride(chance):
    picked_up = datetime.datetime(2015, 1, 1) + datetime.timedelta(seconds=chance.randrange(365 * 86400))
    dropped_off = picked_up + datetime.timedelta(seconds=60 + chance.randrange(3600))
    distance = round(chance.expovariate(1 / 3), 2)
    fare = round(2.5 + 2 * distance, 2)
    tip = round(fare * chance.choice([0, 0, 0.1, 0.2]), 2)
    return {
        "vendor_id": chance.choice("12"),
        "vendor_name": chance.choice(["yellow cab", "green cab"]),
        "pickup_datetime": picked_up.strftime("%Y-%m-%d %H:%M:%S"),
        "dropoff_datetime": dropped_off.strftime("%Y-%m-%d %H:%M:%S"),
        "passenger_count": chance.randint(0, 6),
        "trip_distance": distance,
        "pickup_location": [round(-74 + chance.random() / 5, 6), round(40.6 + chance.random() / 5, 6)],
        "dropoff_location": [round(-74 + chance.random() / 5, 6), round(40.6 + chance.random() / 5, 6)],
        "rate_code_id": str(chance.randint(1, 6)),
        "store_and_fwd_flag": chance.choice("NY"),
        "payment_type": chance.choice("12"),
        "fare_amount": fare,
        "tip_amount": tip,
        "surcharge": chance.choice([0.0, 0.5, 1.0]),
        "ehail_fee": chance.choice([0.0, 0.25]),
        "total_amount": round(fare + tip, 2),
    }


def request(chance):
    status = chance.choices([200, 304, 404, 400, 500], [80, 12, 5, 2, 1])[0]
    page = f"GET /page/{min(int(chance.expovariate(1 / 40)), 999)} HTTP/1.1"
    address = f"{chance.randint(1, 40)}.{chance.randint(0, 9)}.{chance.randint(0, 9)}.0"
    size = chance.randrange(20000)
    return {
        "@timestamp": 897000000 + chance.randrange(14 * 86400),
        "clientip": address,
        "request": page,
        "message": f"{address} - - \"{page}\" {status} {size}",
        "status": status,
        "size": size,
        "geoip": {
            "country_name": chance.choice(["France", "Japan", "Brazil"]),
            "city_name": chance.choice(["Paris", "Osaka", "Recife"]),
            "location": {"lat": round(chance.uniform(-60, 60), 4), "lon": round(chance.uniform(-170, 170), 4)},
        },
    }


def write(path, make, count, seed):
    chance = random.Random(seed)
    with path.open("w", encoding="utf-8") as out:
        for _ in range(count):
            out.write(json.dumps(make(chance), separators=(",", ":")) + "\n")


def main():
    folder, taxis, logs = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    write(folder / "documents-taxis.json", ride, taxis, 1)
    write(folder / "documents-logs-1.json", request, logs, 2)
    write(folder / "documents-logs-2.json", request, logs, 3)


main()
