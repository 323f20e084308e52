// Reads Solana through @solana/kit.
import { createDefaultRpcTransport, createSolanaRpcFromTransport } from '@solana/kit';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_API_KEY = '' } = process.env;

const rpc = createSolanaRpcFromTransport(
  createDefaultRpcTransport({
    url: `${TURNPIKE_URL}/api/v1/crypto/rpc/solana-mainnet`,
    headers: { Authorization: `Bearer ${TURNPIKE_API_KEY}` },
  }),
);

const [slot, { value: lamports }] = await Promise.all([
  rpc.getSlot().send(),
  rpc.getBalance('11111111111111111111111111111111').send(),
]);
console.log(`Solana is at slot ${slot}; the address holds ${lamports} lamports.`);
