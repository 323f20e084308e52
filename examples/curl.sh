#!/bin/sh
# Makes one metered call. The headers X-Service-RPC-Credits and X-Service-RPC-Cost-USD show its price.
set -eu

curl --fail-with-body --silent --show-error --include \
  "${TURNPIKE_URL:-http://localhost:3000}/api/v1/crypto/rpc/ethereum-mainnet" \
  -H "Authorization: Bearer ${TURNPIKE_API_KEY:?is the key that npm start prints}" \
  -H 'Content-Type: application/json' \
  -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}'
echo
