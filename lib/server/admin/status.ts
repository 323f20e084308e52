import { type GatewayFigures, gatewayFiguresSchema } from '@/lib/protocol/operator-figures';
import { formatUsd } from '@/lib/protocol/pricing';
import { booksFigures, type OperatorFigures, operatorFigures } from '../billing/operator-figures';
import type { StoreCommand } from './command';
import { type Answered, askGateways } from './control-socket';
import { table } from './table';
import { wholeNumber } from './options';

const DAYS = 14;
const DAYS_MAX = 366;
const DECIMALS = 6;

export const showStatus: StoreCommand = {
  name: 'status',
  summary:
    'Show the state of the gateways on the data folder: upstreams, refusals, charges, income and withdrawals by day, open payments',
  options: {
    days: { type: 'string', value: 'COUNT', description: `UTC days, including today; ${DAYS} by default` },
  },
  run: async ({ db, config, options }) => {
    const days = wholeNumber(options, 'days', DAYS_MAX) ?? DAYS;
    const [gateways, books] = await Promise.all([
      askGateways(config.dataDir, 'status', gatewayFiguresSchema),
      operatorFigures(db, { days, now: Date.now() }),
    ]);
    return {
      text: [gatewaysText(gateways), booksText(books)].join('\n\n'),
      json: { gateways: gateways.map(({ pid, answer }) => ({ pid, figures: answer })), books: booksFigures(books) },
    };
  },
};

function gatewaysText(gateways: readonly Answered<GatewayFigures>[]): string {
  if (gateways.length === 0) return 'No gateway runs on this data folder.';
  return gateways
    .map(({ pid, answer }) => (answer ? gatewayText(pid, answer) : `Gateway ${pid} did not answer. Read its log.`))
    .join('\n\n');
}

function gatewayText(pid: number, { startedAt, isDraining, openCalls, refusals, networks }: GatewayFigures): string {
  const upstreams = networks.flatMap(({ network, upstreams: all }) =>
    all.map(({ name, state, latencyP50Ms, lagBlocks, lastError }) => [
      network,
      name,
      state,
      cell(latencyP50Ms),
      cell(lagBlocks),
      lastError ? `${lastError.at} ${lastError.message}` : '',
    ]),
  );
  const codes = Object.entries(refusals).sort(([, a], [, b]) => b - a);
  return [
    `Gateway ${pid}, since ${startedAt}: ${isDraining ? 'stopping' : 'serving'}, ${openCalls} paid calls open`,
    table(
      ['NETWORK', 'UPSTREAM', 'STATE', 'P50 MS', 'BLOCKS BEHIND', 'LAST FAILURE'],
      upstreams,
      'No network has an upstream.',
    ),
    table(
      ['REFUSED WITH', 'COUNT'],
      codes.map(([code, count]) => [code, String(count)]),
      'No request was refused.',
    ),
  ].join('\n');
}

function booksText({ accounts, keys, days, openPayments, ledgerCheck }: OperatorFigures): string {
  return [
    `${accounts} accounts, ${keys.live} live keys, ${keys.ended} revoked or expired keys`,
    ledgerCheck === null
      ? 'The ledger was never checked. Run npm run admin -- ledger check'
      : `The ledger was checked at ${new Date(ledgerCheck.at).toISOString()}: ${ledgerCheck.faults} faults`,
    table(
      ['DAY (UTC)', 'CHARGES', 'CHARGED USD', 'PAID IN USD', 'WITHDRAWN USD'],
      days.map((day) => [
        day.day,
        String(day.charges),
        formatUsd(day.chargedNanoUsd, DECIMALS),
        formatUsd(day.paidInNanoUsd, DECIMALS),
        formatUsd(day.withdrawnNanoUsd, DECIMALS),
      ]),
      '',
    ),
    table(
      ['OPEN PAYMENTS', 'COUNT', 'USD', 'OLDEST SINCE'],
      openPayments.map(({ state, payments, nanoUsd, oldestAt }) => [
        state,
        String(payments),
        formatUsd(nanoUsd, DECIMALS),
        new Date(oldestAt).toISOString(),
      ]),
      'No payment is open.',
    ),
  ].join('\n');
}

function cell(value: number | null): string {
  return value === null ? '' : String(value);
}
