import fs from 'node:fs';
import path from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder, recordingLog } from '../sandbox-under-test';
import { Ledger } from './ledger';
import { createSolanaNetworks } from './network';
import { openChain, richKey } from './solana-under-test';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});
function folderOfTest(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

/** Copies the files of a chain that is still open, as a kill at this moment would leave them. */
function copyOf(folder: string): string {
  const copy = folderOfTest();
  fs.cpSync(folder, copy, { recursive: true });
  return copy;
}

describe('Ledger', () => {
  it('has on disk what was acknowledged, without being closed', async () => {
    const under = openChain();
    const keys = [await richKey(under.chain), await richKey(under.chain)];
    const copy = openChain(copyOf(under.folder));
    expect(keys.map((key) => copy.chain.account(key.publicKey.toBytes())?.lamports)).toEqual([
      100_000_000_000n,
      100_000_000_000n,
    ]);
    expect(copy.chain.ledger.totals().transactions).toBe(2);
    await Promise.all([under.close(), copy.close()]);
  });

  it('cuts a log that ends in the middle of a write, and goes on from what came before', async () => {
    const under = openChain();
    const first = await richKey(under.chain);
    await richKey(under.chain);
    const torn = copyOf(under.folder);
    const log = path.join(torn, 'ledger.db-wal');
    fs.truncateSync(log, fs.statSync(log).size - 1_000);
    const copy = openChain(torn);
    expect(copy.chain.ledger.totals().transactions).toBe(1);
    expect(copy.chain.account(first.publicKey.toBytes())?.lamports).toBe(100_000_000_000n);
    const next = await richKey(copy.chain);
    expect(copy.chain.account(next.publicKey.toBytes())?.lamports).toBe(100_000_000_000n);
    await Promise.all([under.close(), copy.close()]);
  });

  it('is open once at a time', () => {
    const file = path.join(folderOfTest(), 'ledger.db');
    const first = new Ledger(file);
    expect(() => new Ledger(file)).toThrow(/locked/);
    first.close();
    const second = new Ledger(file);
    expect(second.genesis).toEqual(first.genesis);
    second.close();
  });

  it('pages through the history of an address by before, until and limit', async () => {
    const under = openChain();
    const to = Keypair.generate().publicKey.toBytes();
    for (let count = 0; count < 5; count += 1) await under.chain.airdrop(to, 1_000_000n);
    const all = under.chain.ledger.history(to, { limit: 10 });
    expect(all).toHaveLength(5);
    const signatures = all.map(({ signature }) => signature);
    const found = (range: object) =>
      under.chain.ledger
        .history(to, { limit: 10, ...range })
        .map(({ signature }) => signatures.findIndex((known) => Buffer.compare(known, signature) === 0));
    expect(found({ before: signatures[1] })).toEqual([2, 3, 4]);
    expect(found({ until: signatures[3] })).toEqual([0, 1, 2]);
    expect(found({ before: signatures[0], limit: 2 })).toEqual([1, 2]);
    expect(found({ before: new Uint8Array(64) })).toEqual([]);
    await under.close();
  });
});

describe('SolanaNetwork', () => {
  it('sets a ledger aside that cannot be read, says so, and starts anew', async () => {
    const dataDir = folderOfTest();
    const folder = path.join(dataDir, 'solana', 'solana-devnet');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'ledger.db'), 'no database at all '.repeat(500));
    const log = recordingLog();
    const network = createSolanaNetworks(dataDir, log).get('solana-devnet');
    expect((await network?.ready())?.ledger.totals().transactions).toBe(0);
    expect(log.warnings).toEqual([
      expect.stringMatching(/starts empty, because .* the file was kept as refused-/) as string,
    ]);
    expect(fs.readdirSync(folder).some((name) => name.startsWith('refused-'))).toBe(true);
    await network?.stop();
  });

  it('keeps the networks apart', async () => {
    const networks = createSolanaNetworks(folderOfTest(), recordingLog());
    const [one, other] = await Promise.all([...networks.values()].map((network) => network.ready()));
    const key = await richKey(one as NonNullable<typeof one>);
    expect(other?.account(key.publicKey.toBytes())).toBeNull();
    expect(other?.clock.genesisHash).not.toEqual(one?.clock.genesisHash);
    await Promise.all([...networks.values()].map((network) => network.stop()));
  });
});
