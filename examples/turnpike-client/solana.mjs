// Uses the gateway as the RPC of @solana/kit. For web3.js 1.x, pass web3Connection(turnpike) to Connection.
import { createTurnpike } from 'turnpike-client';
import { turnpikeSolanaRpc } from 'turnpike-client/solana';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_API_KEY: account = '' } = process.env;
const rpc = turnpikeSolanaRpc(createTurnpike({ url, account }));
console.log(`Solana is at slot ${await rpc.getSlot().send()}.`);
