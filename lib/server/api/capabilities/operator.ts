import { type GatewayFigures, gatewayFiguresSchema, type OperatorFigures } from '@/lib/protocol/operator-figures';
import { Operators } from '../../auth/operators';
import type { SignInVerifier } from '../../auth/sign-in-verifier';
import { OperatorBooks } from '../../billing/operator-books';
import type { Database } from '../../db/schema';
import { type FigureParts, gatewayFigures } from '../gateway-figures';
import { operatorFigures } from '../operator/figures';
import type { Capability } from './capability';
import type { Ground } from './ground';

interface Needs extends Omit<FigureParts, 'startedAt'> {
  db: Database;
  signIn: SignInVerifier;
  /** Sends a command to all gateway processes with the same data folder. */
  askGateways: (
    dataDir: string,
    command: 'status',
    schema: typeof gatewayFiguresSchema,
  ) => Promise<{ pid: number; answer: GatewayFigures | null }[]>;
}

/** Shows operators the figures of the gateway processes and of the ledger. */
export function openOperator({ config, now }: Ground, { db, signIn, askGateways, ...parts }: Needs) {
  const startedAt = now();
  const figures = (): GatewayFigures => gatewayFigures({ startedAt, ...parts });
  const operators = new Operators(config.operators, signIn);
  const books = new OperatorBooks({ db, now });
  // Reads this process's figures directly, because this process may have no control socket.
  const gateways = async (): Promise<OperatorFigures['gateways']> => [
    { pid: process.pid, figures: figures() },
    ...(await askGateways(config.dataDir, 'status', gatewayFiguresSchema))
      .filter(({ pid }) => pid !== process.pid)
      .map(({ pid, answer }) => ({ pid, figures: answer })),
  ];
  return {
    figures,
    endpoints: ({ consoleLimiter }) => [operatorFigures({ operators, books, gateways, consoleLimiter })],
  } satisfies Capability & { figures(): GatewayFigures };
}
