// Uses the gateway as a provider of ethers 6.
import { createTurnpike } from 'turnpike-client';
import { turnpikeProvider } from 'turnpike-client/ethers';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_API_KEY: account = '' } = process.env;
const provider = turnpikeProvider(createTurnpike({ url, account }), 'ethereum-mainnet');
console.log(`Ethereum is at block ${await provider.getBlockNumber()}.`);
provider.destroy();
