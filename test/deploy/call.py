"""Calls operations of AWS services at the emulator: call.py [[SERVICE, OPERATION, PARAMETERS], …]. Prints the answers as JSON."""

import json
import sys

import boto3

answers = []
for service, operation, parameters in json.loads(sys.argv[1]):
    answer = getattr(boto3.client(service), operation)(**parameters)
    answer.pop("ResponseMetadata", None)
    answers.append(answer)
print(json.dumps(answers, default=str))
