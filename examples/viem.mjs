// Reads a chain through viem. Calls made in the same tick become one batch.
import { createPublicClient, http } from 'viem';
import { mainnet } from 'viem/chains';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_API_KEY = '' } = process.env;

const client = createPublicClient({
  chain: mainnet,
  transport: http(`${TURNPIKE_URL}/api/v1/crypto/rpc/ethereum-mainnet`, {
    batch: true,
    fetchOptions: { headers: { Authorization: `Bearer ${TURNPIKE_API_KEY}` } },
  }),
});

const [chainId, block, balance] = await Promise.all([
  client.getChainId(),
  client.getBlock(),
  client.getBalance({ address: '0x00000000000000000000000000000000DeaDBeef' }),
]);
console.log(`Chain ${chainId} is at block ${block.number}; the address holds ${balance} wei.`);
