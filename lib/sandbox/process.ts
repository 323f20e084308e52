import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createChains } from './evm/chain';
import { EmbeddingsServer } from './embeddings/embeddings-server';
import { readDocuments } from './guide/documents';
import { createSandboxServer, type StandIns } from './http/server';
import { createInference } from './inference/create-inference';
import { stderrLog } from './log';
import { type ReadyMessage, SandboxSettingError, sandboxSettings } from './settings';
import { createSolanaNetworks } from './solana/network';
import { createSpeech, warmUpSoon } from './speech/speech-server';
import { NeighbourPort, SolanaWebSocket } from './solana/websocket/server';
import { createVideo } from './video/video-studio';

/**
 * Runs the sandbox in its own process, apart from the gateway's event loop and reloads.
 *
 * Sends its address by IPC or, if not forked, as one JSON line on standard output. Ends on SIGINT, SIGTERM and SIGHUP,
 * and when the IPC channel closes because its parent has ended. Stops everything that it started.
 */
async function main(): Promise<void> {
  const { port, webSocketPort, dataDir } = sandboxSettings(process.env);
  const solana = createSolanaNetworks(path.resolve(dataDir), stderrLog, () => neighbour.open());
  const solanaWebSocket = new SolanaWebSocket(solana, stderrLog);
  const neighbour = new NeighbourPort(webSocketPort, solanaWebSocket, stderrLog);
  const embeddings = new EmbeddingsServer(() => readDocuments(process.cwd()));
  const standIns = {
    chains: createChains(path.resolve(dataDir), stderrLog),
    solana,
    solanaWebSocket,
    inference: createInference(path.resolve(dataDir), process.cwd(), { embeddings }),
    speech: createSpeech(process.cwd()),
    embeddings,
    video: createVideo(path.resolve(dataDir), process.cwd(), stderrLog),
  };
  const server = createSandboxServer(standIns, stderrLog);
  const end = once(() => stop(server, neighbour, standIns));
  process.on('disconnect', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // The process that reads the log may end before this process.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', () => undefined);

  await listen(server, port);
  warmUpSoon(standIns.speech, stderrLog);
  announce({ type: 'ready', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pid: process.pid });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function announce(ready: ReadyMessage): void {
  // The send fails if the parent is ending. The closed channel then ends this process.
  if (process.send) process.send(ready, () => undefined);
  else process.stdout.write(`${JSON.stringify(ready)}\n`);
}

const DRAIN_MS = 1_000;

async function stop(
  server: Server,
  neighbour: NeighbourPort,
  { chains, solana, solanaWebSocket, speech }: StandIns,
): Promise<void> {
  neighbour.close();
  solanaWebSocket.close();
  const drained = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await drained;
  clearTimeout(timer);
  await Promise.all([speech.close(), ...[...chains.values(), ...solana.values()].map((chain) => chain.stop())]);
  process.exit(0);
}

function once(run: () => Promise<void>): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    run().catch(fail);
  };
}

function fail(error: unknown): never {
  const isExpected = error instanceof SandboxSettingError || (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  stderrLog.warn(
    `the sandbox failed: ${isExpected ? (error as Error).message : ((error as Error).stack ?? String(error))}`,
  );
  process.exit(1);
}

main().catch(fail);
