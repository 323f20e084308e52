// Makes a chain call. The account may also be a wallet, which then signs in and tops up within a budget.
import { createTurnpike } from 'turnpike-client';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_API_KEY: account = '' } = process.env;
const turnpike = createTurnpike({ url, account });
const { items, costUsd } = await turnpike.rpc('ethereum-mainnet', { method: 'eth_blockNumber' });
console.log(`Block ${String(items[0]?.result)} cost ${costUsd} USD.`);
