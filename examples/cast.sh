#!/bin/sh
# Reads the block number through Foundry's cast.
set -eu

ETH_RPC_HEADERS="Authorization: Bearer ${TURNPIKE_API_KEY:?is the key that npm start prints}" \
  cast block-number --rpc-url "${TURNPIKE_URL:-http://localhost:3000}/api/v1/crypto/rpc/ethereum-mainnet"
