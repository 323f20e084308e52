import { once } from 'node:events';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Keypair, SystemProgram, Transaction as Web3Transaction, type TransactionInstruction } from '@solana/web3.js';
import { createChains } from '@/lib/sandbox/evm/chain';
import { createSandboxServer } from '../http/server';
import { EmbeddingsServer } from '../embeddings/embeddings-server';
import { createInference } from '../inference/create-inference';
import { createSpeech } from '@/lib/sandbox/speech/speech-server';
import { recordingLog, temporaryFolder } from '../sandbox-under-test';
import { SolanaChain } from './chain';
import { LAMPORTS_PER_SOL } from './faucet-key';
import { Ledger } from './ledger';
import { createVideo } from '@/lib/sandbox/video/video-studio';
import { createSolanaNetworks } from './network';
import { decodeTransaction, type Transaction } from './transaction/transaction';
import { SolanaWebSocket } from './websocket/server';

/** Chain in a folder, with a clock that the test sets. */
export interface ChainUnderTest {
  chain: SolanaChain;
  folder: string;
  pass(ms: number): void;
  /** Opens the same folder again, as a new process would. */
  reopen(): Promise<SolanaChain>;
  close(): Promise<void>;
}

export function openChain(folder: string = temporaryFolder()): ChainUnderTest {
  let nowMs = Date.now();
  const open = () => new SolanaChain(new Ledger(path.join(folder, 'ledger.db')), () => nowMs);
  const under: ChainUnderTest = {
    chain: open(),
    folder,
    pass: (ms) => {
      nowMs += ms;
    },
    reopen: async () => {
      await under.chain.close();
      return (under.chain = open());
    },
    close: async () => {
      await under.chain.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  return under;
}

export async function richKey(chain: SolanaChain): Promise<Keypair> {
  const key = Keypair.generate();
  await chain.airdrop(key.publicKey.toBytes(), 100n * LAMPORTS_PER_SOL);
  return key;
}

/** Signs a transaction with these instructions, by default for the current blockhash. */
export function signed(
  chain: SolanaChain,
  instructions: TransactionInstruction[],
  signers: [Keypair, ...Keypair[]],
  blockhash = chain.clock.blockhashText(chain.clock.now()),
): Transaction {
  const transaction = new Web3Transaction({ feePayer: signers[0].publicKey, recentBlockhash: blockhash }).add(
    ...instructions,
  );
  transaction.sign(...signers);
  return decodeTransaction(transaction.serialize());
}

export function transfer(from: Keypair, to: Keypair, lamports: number | bigint): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports });
}

export interface SolanaServer {
  /** RPC URL of the simulated solana-devnet. */
  rpcUrl: string;
  wsUrl: string;
  warnings: string[];
  close(): Promise<void>;
}

export async function serveSolana(): Promise<SolanaServer> {
  const folder = temporaryFolder();
  const log = recordingLog();
  const solana = createSolanaNetworks(folder, log);
  const solanaWebSocket = new SolanaWebSocket(solana, log);
  const server = createSandboxServer(
    {
      chains: createChains(folder, log),
      solana,
      solanaWebSocket,
      inference: createInference(folder, process.cwd()),
      speech: createSpeech(process.cwd()),
      embeddings: new EmbeddingsServer(() => []),
      video: createVideo(folder, process.cwd(), log),
    },
    log,
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}/solana/solana-devnet`;
  return {
    rpcUrl: `http://${place}`,
    wsUrl: `ws://${place}`,
    warnings: log.warnings,
    close: async () => {
      solanaWebSocket.close();
      server.closeAllConnections();
      server.close();
      await Promise.all([...solana.values()].map((network) => network.stop()));
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function ask(
  rpcUrl: string,
  method: string,
  params: unknown,
): Promise<{ result?: unknown; error?: { code: number; message: string; data?: unknown } }> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await answer.json()) as Awaited<ReturnType<typeof ask>>;
}
