import { type ChargeGrouping, type ChargeQuery, listCharges, sumCharges } from '@/lib/client/billing';
import { withTypedErrors } from '../../src/turnpike-error';
import { type Command, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { countOption, readOptions } from '../options';
import { noArguments } from '../positionals';
import { UsageError } from '../usage-error';

const LIMIT = 20;
const LIMIT_RANGE = [1, 100] as const;
const GROUPINGS: readonly string[] = ['day', 'resource', 'key'] satisfies ChargeGrouping[];

const HELP = `turnpike-client usage [options]

Lists what was charged, newest first, or sums of it. Free.

  --from DATE, --to DATE the days (UTC, the last included), as 2026-11-21
  --by day|resource|key  sums instead of charges
  --limit N              the most charges, ${LIMIT_RANGE.join(' to ')} (${LIMIT})
${CUSTOMER_HELP}
`;

/** What was charged. */
export const usage: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, { ...CUSTOMER_OPTIONS, from: { type: 'string' }, to: { type: 'string' }, by: { type: 'string' }, limit: { type: 'string' } });
    noArguments(positionals);
    const query: ChargeQuery = { ...(values.from !== undefined && { startDate: values.from }), ...(values.to !== undefined && { endDate: values.to }) };
    const limit = countOption('limit', values.limit, LIMIT_RANGE) ?? LIMIT;
    if (values.by !== undefined && !GROUPINGS.includes(values.by)) throw new UsageError(`--by is ${JSON.stringify(values.by)}; it is one of ${GROUPINGS.join(', ')}.`);
    const { connection } = await readCustomer(values, io, { budget: null });
    const call = { signal: io.signal };
    if (values.by !== undefined) {
      const sums = await withTypedErrors(() => sumCharges(connection, values.by as ChargeGrouping, query, call));
      io.out(values.json ? `${JSON.stringify(sums, null, 2)}\n` : sums.data.map(({ group, charges, amount }) => `${(group || 'wallet').padEnd(28)} ${String(charges).padStart(7)} ${charges === 1 ? 'charge ' : 'charges'}  ${amount} USD\n`).join('') || 'Nothing was charged.\n');
      return EXIT.done;
    }
    const page = await withTypedErrors(() => listCharges(connection, { ...query, limit }, call));
    io.out(values.json ? `${JSON.stringify(page, null, 2)}\n` : page.data.map(({ timestamp, amount, resource, detail }) => `${timestamp}  ${amount.padStart(14)} USD  ${resource}  ${detail}\n`).join('') || 'Nothing was charged.\n');
    return EXIT.done;
  },
};
