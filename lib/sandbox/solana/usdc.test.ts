import { once } from 'node:events';
import fs from 'node:fs';
import { getAccount, getAssociatedTokenAddressSync, getMint } from '@solana/spl-token';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { bundleSandbox, endChildren, PATIENCE_MS, startAlone, temporaryFolder } from '../sandbox-under-test';
import { associatedTokenAddress } from './usdc';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const MINT = new PublicKey(SANDBOX_USDC_MINT);
const dataDir = temporaryFolder();
let entryFile: string;
let url: string;
let child: Awaited<ReturnType<typeof startAlone>>['child'];

beforeAll(async () => {
  entryFile = await bundleSandbox();
  ({ url, child } = await startAlone(entryFile, dataDir));
});
afterAll(async () => {
  await endChildren();
  fs.rmSync(entryFile);
  fs.rmSync(dataDir, { recursive: true, maxRetries: 5 });
});

const connect = (network = 'solana-mainnet') => new Connection(`${url}/solana/${network}`, 'confirmed');
const post = async (path: string, address: string) =>
  (await (
    await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
    })
  ).json()) as Record<string, unknown>;

describe('associatedTokenAddress', () => {
  it('is the address that the official library derives, for fifty owners', () => {
    for (let index = 0; index < 50; index += 1) {
      const owner = Keypair.generate().publicKey;
      expect(new PublicKey(associatedTokenAddress(owner.toBytes(), MINT.toBytes())).toBase58()).toBe(
        getAssociatedTokenAddressSync(MINT, owner).toBase58(),
      );
    }
  });
});

describe('the USDC of the Solana stand-ins', () => {
  it('is a mint of 6 decimals on both networks, which nobody can freeze', async () => {
    for (const network of ['solana-mainnet', 'solana-devnet']) {
      expect(await getMint(connect(network), MINT)).toMatchObject({
        decimals: 6,
        supply: 0n,
        freezeAuthority: null,
        isInitialized: true,
      });
    }
  });

  it('is given by the faucet, 100 at a time, into the associated token account', async () => {
    const owner = Keypair.generate().publicKey;
    const receipt = await post('/faucet', owner.toBase58());
    expect(receipt).toMatchObject({
      funded: [
        { tokens: [{ symbol: 'USDC', mint: SANDBOX_USDC_MINT, amount: '100', balance: '100' }] },
        { tokens: [{ balance: '100' }] },
      ],
    });
    const at = getAssociatedTokenAddressSync(MINT, owner);
    expect((await getAccount(connect(), at)).amount).toBe(100_000_000n);
    await post('/faucet', owner.toBase58());
    expect((await getAccount(connect(), at)).amount).toBe(200_000_000n);
  });

  it('survives a kill -9 in the instant of the answer, mint and balances alike', async () => {
    const owner = Keypair.generate().publicKey;
    await post('/faucet', owner.toBase58());
    const { supply } = await getMint(connect(), MINT);
    child.kill('SIGKILL');
    await once(child, 'exit');
    ({ url, child } = await startAlone(entryFile, dataDir));
    expect((await getAccount(connect(), getAssociatedTokenAddressSync(MINT, owner))).amount).toBe(100_000_000n);
    expect((await getMint(connect(), MINT)).supply).toBe(supply);
  });
});
