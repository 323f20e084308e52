import {
  address,
  type Address,
  appendTransactionMessageInstruction,
  AccountRole,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Blockhash,
} from '@solana/kit';
import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { toBase58 } from './address';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs';

const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const CREATE_IDEMPOTENT = Uint8Array.of(1);

type Rpc = (method: string, params: unknown[]) => Promise<unknown>;

/**
 * Creates the token account in which `owner` receives the sandbox's USDC, if missing. The payer, not the owner, pays
 * the account's rent.
 *
 * @param payerSeed payer's 32-byte secret seed
 * @throws Error if the chain did not create the account
 */
export async function prepareSolanaReceiver(rpc: Rpc, payerSeed: Uint8Array, owner: Uint8Array): Promise<void> {
  const receiver = address(toBase58(owner));
  const account = await associatedTokenAddress(receiver, address(SANDBOX_USDC_MINT));
  if (await isThere(rpc, account)) return;
  const payer = await createKeyPairSignerFromPrivateKeyBytes(payerSeed);
  const { value } = (await rpc('getLatestBlockhash', [])) as {
    value: { blockhash: Blockhash; lastValidBlockHeight: number };
  };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: value.blockhash, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) },
        paid,
      ),
    (timely) =>
      appendTransactionMessageInstruction(
        {
          programAddress: ASSOCIATED_TOKEN_PROGRAM,
          accounts: [
            { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
            { address: account, role: AccountRole.WRITABLE },
            { address: receiver, role: AccountRole.READONLY },
            { address: address(SANDBOX_USDC_MINT), role: AccountRole.READONLY },
            { address: address(SYSTEM_PROGRAM), role: AccountRole.READONLY },
            { address: address(TOKEN_PROGRAM), role: AccountRole.READONLY },
          ],
          data: CREATE_IDEMPOTENT,
        },
        timely,
      ),
  );
  const signed = await signTransactionMessageWithSigners(message);
  await rpc('sendTransaction', [getBase64EncodedWireTransaction(signed), { encoding: 'base64' }]);
  if (!(await isThere(rpc, account))) throw new Error('The account that receives payments could not be made.');
}

async function isThere(rpc: Rpc, account: Address): Promise<boolean> {
  const { value } = (await rpc('getAccountInfo', [account, { encoding: 'base64' }])) as { value: unknown };
  return value !== null;
}

async function associatedTokenAddress(owner: Address, mint: Address): Promise<Address> {
  const encoder = getAddressEncoder();
  const [account] = await getProgramDerivedAddress({
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    seeds: [encoder.encode(owner), encoder.encode(address(TOKEN_PROGRAM)), encoder.encode(mint)],
  });
  return account;
}
