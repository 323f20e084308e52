// Reads Solana through @solana/web3.js 1.x.
import { Connection, PublicKey } from '@solana/web3.js';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_API_KEY = '' } = process.env;

const connection = new Connection(`${TURNPIKE_URL}/api/v1/crypto/rpc/solana-mainnet`, {
  httpHeaders: { Authorization: `Bearer ${TURNPIKE_API_KEY}` },
  // web3.js would wait up to eight seconds after a 429. Without its retries, the caller decides how long to wait.
  disableRetryOnRateLimit: true,
});

const [slot, lamports] = await Promise.all([
  connection.getSlot(),
  connection.getBalance(new PublicKey('11111111111111111111111111111111')),
]);
console.log(`Solana is at slot ${slot}; the address holds ${lamports} lamports.`);
