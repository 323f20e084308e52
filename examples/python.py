"""Makes a call and a chat with only Python's standard library."""

import json
import os
import urllib.error
import urllib.request

URL = os.environ.get("TURNPIKE_URL", "http://localhost:3000")
KEY = os.environ["TURNPIKE_API_KEY"]


def post(path, body):
    """Returns the answer and its headers. An error ends the program with the gateway's message."""
    request = urllib.request.Request(
        URL + path,
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response), response.headers
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{path} answered {error.code}: {error.read().decode()}")


answer, headers = post("/api/v1/crypto/rpc/ethereum-mainnet", {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber"})
print(f"Block {int(answer['result'], 16)} cost {headers['X-Service-RPC-Cost-USD']} USD.")

chat, _ = post("/api/v1/chat/completions", {"model": "guide", "messages": [{"role": "user", "content": "How does staking work?"}]})
print(chat["choices"][0]["message"]["content"])
