// Reads a chain through ethers 6.
import { FetchRequest, JsonRpcProvider } from 'ethers';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_KEY = '' } = process.env;

const request = new FetchRequest(`${TURNPIKE_URL}/api/v1/crypto/rpc/ethereum-mainnet`);
request.setHeader('Authorization', `Bearer ${TURNPIKE_KEY}`);
// Filters live on one node, and calls reach several: events are asked for by eth_getLogs.
const provider = new JsonRpcProvider(request, undefined, { polling: true });

const [{ chainId }, blockNumber] = await Promise.all([provider.getNetwork(), provider.getBlockNumber()]);
console.log(`Chain ${chainId} is at block ${blockNumber}.`);
provider.destroy();
