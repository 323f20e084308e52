import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import {
  createKeyPairSignerFromPrivateKeyBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
} from '@solana/kit';
import { base58 } from '@scure/base';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs in to the gateway at this origin. @returns the SIGN-IN-WITH-X header */
export type SignIn = (origin: string) => Promise<string>;

/** Creates an EVM wallet with 100 USDC on the sandbox's chains. */
export async function evmWallet(
  sandboxUrl: string,
): Promise<{ account: PrivateKeyAccount; address: string; signIn: SignIn }> {
  const account = privateKeyToAccount(generatePrivateKey());
  await fund(sandboxUrl, account.address);
  const signIn: SignIn = async (origin) => {
    const unsigned = buildSignIn({ address: account.address, uri: origin, chainId: 8453 });
    return unsigned.header(await account.signMessage({ message: unsigned.text }));
  };
  return { account, address: account.address.toLowerCase(), signIn };
}

/** Creates a Solana wallet with 100 USDC. */
export async function solanaWallet(sandboxUrl: string): Promise<{
  signer: KeyPairSigner;
  address: string;
  signIn: SignIn;
  /** Signs a text. Returns base58. */
  sign: (text: string) => string;
  /** Signs a transaction in wire format. */
  signTransaction: (wire: Uint8Array) => Promise<Uint8Array>;
}> {
  const seed = randomBytes(32);
  const signer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(seed));
  await fund(sandboxUrl, signer.address);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const signText = (text: string): string => base58.encode(sign(null, Buffer.from(text), key));
  const signTransaction = async (wire: Uint8Array): Promise<Uint8Array> => {
    const transaction = getTransactionDecoder().decode(wire);
    const [signatures] = await signer.signTransactions([transaction as never]);
    return new Uint8Array(
      getTransactionEncoder().encode({ ...transaction, signatures: { ...transaction.signatures, ...signatures } }),
    );
  };
  const signIn: SignIn = (origin) => {
    const unsigned = buildSignIn({
      address: signer.address,
      uri: origin,
      chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    });
    return Promise.resolve(unsigned.header(signText(unsigned.text)));
  };
  return { signer, address: signer.address, signIn, sign: signText, signTransaction };
}

/** Sends coins and tokens of the sandbox to an address. */
export async function fund(sandboxUrl: string, address: string): Promise<void> {
  const response = await fetch(`${sandboxUrl}/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
  if (!response.ok) throw new Error(`The faucet did not fund ${address}: ${await response.text()}`);
}
