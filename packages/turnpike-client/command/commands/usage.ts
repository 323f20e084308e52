import {
  type Charge,
  CHARGE_GROUPINGS,
  type ChargeGrouping,
  type ChargeQuery,
  type ChargeSum,
  listCharges,
  sumCharges,
} from '@/lib/client/billing';
import { type AnsweredRequest, listRequests } from '@/lib/client/requests';
import { withTypedErrors } from '../../src/turnpike-error';
import { type Command, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { countOption, readOptions } from '../options';
import { noArguments } from '@/lib/command-line/options';
import { jsonText, printableLine } from '../printable';
import { UsageError } from '@/lib/command-line/usage-error';

const LIMIT = 20;
const LIMIT_RANGE = [1, 100] as const;

const HELP = `turnpike-client usage [options]

Lists charges, newest first, or their sums; with --requests, lists requests,
refused and failed ones included. Free.

  --from DATE, --to DATE first and last day (UTC, included), such as 2026-11-21
  --by day|resource|key  sums instead of charges
  --requests             requests instead of charges
  --failed               only requests that failed
  --limit N              number of charges or requests, ${LIMIT_RANGE.join(' to ')} (${LIMIT})
${CUSTOMER_HELP}
`;

export const usage: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, {
      ...CUSTOMER_OPTIONS,
      from: { type: 'string' },
      to: { type: 'string' },
      by: { type: 'string' },
      limit: { type: 'string' },
      requests: { type: 'boolean' },
      failed: { type: 'boolean' },
    });
    noArguments(positionals);
    const query: ChargeQuery = {
      ...(values.from !== undefined && { startDate: values.from }),
      ...(values.to !== undefined && { endDate: values.to }),
    };
    const limit = countOption('limit', values.limit, LIMIT_RANGE) ?? LIMIT;
    const by = groupingOption(values.by);
    const wantsRequests = values.requests === true || values.failed === true;
    if (wantsRequests && by !== undefined) throw new UsageError('--by sums charges; leave it out to list requests.');
    const { connection } = await readCustomer(values, io, { budget: null });
    const call = { signal: io.signal };
    if (wantsRequests) {
      const status = values.failed === true ? { status: 'failed' } : {};
      const page = await withTypedErrors(() => listRequests(connection, { ...query, ...status, limit }, call));
      io.out(
        values.json ? `${jsonText(page, 2)}\n` : page.data.map(requestLine).join('') || 'There are no requests.\n',
      );
      return EXIT.done;
    }
    if (by !== undefined) {
      const sums = await withTypedErrors(() => sumCharges(connection, by, query, call));
      io.out(values.json ? `${jsonText(sums, 2)}\n` : sums.data.map(sumLine).join('') || 'Nothing was charged.\n');
      return EXIT.done;
    }
    const page = await withTypedErrors(() => listCharges(connection, { ...query, limit }, call));
    io.out(values.json ? `${jsonText(page, 2)}\n` : page.data.map(chargeLine).join('') || 'Nothing was charged.\n');
    return EXIT.done;
  },
};

function groupingOption(named: string | undefined): ChargeGrouping | undefined {
  const grouping = CHARGE_GROUPINGS.find((each) => each === named);
  if (named !== undefined && grouping === undefined)
    throw new UsageError(`--by is ${JSON.stringify(named)}; it must be one of ${CHARGE_GROUPINGS.join(', ')}.`);
  return grouping;
}

function sumLine({ group, charges, amount }: ChargeSum): string {
  return `${printableLine(group || 'wallet').padEnd(28)} ${String(charges).padStart(7)} ${charges === 1 ? 'charge ' : 'charges'}  ${amount} USD\n`;
}

function chargeLine({ timestamp, amount, resource, detail }: Charge): string {
  return `${printableLine(`${timestamp}  ${amount.padStart(14)} USD  ${resource}  ${detail}`)}\n`;
}

function requestLine(request: AnsweredRequest): string {
  const { timestamp, product, network, method, model, status, code, cut, durationMs, amount, requestId } = request;
  const outcome = code ?? (cut ? 'cut' : 'OK');
  const asked = [product, network, method, model].filter((part) => part !== null).join(' ');
  return `${printableLine(`${timestamp}  ${status} ${outcome}  ${asked}  ${durationMs} ms  ${amount} USD  ${requestId}`)}\n`;
}
