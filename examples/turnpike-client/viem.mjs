// Uses the gateway as a transport of viem.
import { createTurnpike } from 'turnpike-client';
import { turnpikeTransport } from 'turnpike-client/viem';
import { createPublicClient } from 'viem';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_API_KEY: account = '' } = process.env;
const turnpike = createTurnpike({ url, account });
const client = createPublicClient({ transport: turnpikeTransport(turnpike, 'ethereum-mainnet') });
console.log(`Chain ${await client.getChainId()} is at block ${await client.getBlockNumber()}.`);
