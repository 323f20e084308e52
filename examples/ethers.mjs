// Reads a chain through ethers 6.
import { FetchRequest, JsonRpcProvider } from 'ethers';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_API_KEY = '' } = process.env;

const request = new FetchRequest(`${TURNPIKE_URL}/api/v1/crypto/rpc/ethereum-mainnet`);
request.setHeader('Authorization', `Bearer ${TURNPIKE_API_KEY}`);
// Polls with eth_getLogs, because a filter exists on only one node and calls reach several nodes.
const provider = new JsonRpcProvider(request, undefined, { polling: true });

const [{ chainId }, blockNumber] = await Promise.all([provider.getNetwork(), provider.getBlockNumber()]);
console.log(`Chain ${chainId} is at block ${blockNumber}.`);
provider.destroy();
