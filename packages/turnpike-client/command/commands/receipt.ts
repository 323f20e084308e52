import { readFileSync, statSync } from 'node:fs';
import { fetchKeptReport, fetchReceipt, fetchReceiptKeys } from '@/lib/client/receipts/fetch-receipt';
import { claimedIssuer, type JudgedReceipt, judgeReceipt, type ReceiptHop } from '@/lib/client/receipts/judge-receipt';
import { argumentsNamed } from '@/lib/command-line/options';
import { UsageError } from '@/lib/command-line/usage-error';
import { withTypedErrors } from '../../src/turnpike-error';
import { type Command, type CommandIo, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, type CustomerValues, readCustomer } from '../customer';
import { readOptions } from '../options';
import { jsonText, printableLine } from '../printable';

const FILE_BYTES_MAX = 256 * 1_048_576;

const HELP = `turnpike-client receipt [verify FILE | fetch REQUEST_ID] [options]

verify checks a receipt, and prints what it does and does not prove. The exit code is 0 unless
a part is not valid. verify needs no account, and with --keys no network. fetch prints the
receipt of one of your calls that was sent with X-Receipt: true.

  --keys FILE            key list of the gateway, /.well-known/jwks.json; without it, the list is
                         fetched from the gateway that the receipt names
  --gateway URL          the gateway that must have signed the receipt
  --request FILE         body of the request, to compare
  --answer FILE          body of the answer, to compare
  --report FILE          attestation report of the enclave, to compare; without --report and --keys,
                         the report that the receipt names is fetched
${CUSTOMER_HELP}
`;

const OPTIONS = {
  ...CUSTOMER_OPTIONS,
  keys: { type: 'string' },
  gateway: { type: 'string' },
  request: { type: 'string' },
  answer: { type: 'string' },
  report: { type: 'string' },
} as const;

interface ReceiptValues extends CustomerValues {
  keys?: string;
  gateway?: string;
  request?: string;
  answer?: string;
  report?: string;
}

export const receipt: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const [action = '', ...rest] = positionals;
    if (action === 'verify') return check(argumentsNamed(rest, 'FILE').FILE, values, io);
    if (action === 'fetch') return fetchOne(argumentsNamed(rest, 'REQUEST_ID').REQUEST_ID, values, io);
    throw new UsageError(
      `${JSON.stringify(action)} is not an action for receipt. Use verify FILE, or fetch REQUEST_ID.`,
    );
  },
};

async function check(file: string, values: ReceiptValues, io: CommandIo): Promise<number> {
  const { gateway } = values;
  if (gateway !== undefined && !URL.canParse(gateway))
    throw new UsageError(`--gateway is ${JSON.stringify(gateway)}, which is not a URL.`);
  const text = Buffer.from(bytesOf(file)).toString();
  const evidence = {
    receipt: text,
    keys: values.keys === undefined ? await keysOf(text, gateway, io) : keysIn(values.keys),
    issuer: gateway,
    request: optionalBytes(values.request),
    answer: optionalBytes(values.answer),
    report: optionalBytes(values.report),
    nowMs: Date.now(),
  };
  const judged = judgeReceipt(evidence);
  const report = evidence.report ?? (values.keys === undefined ? await reportOf(judged, gateway, io) : undefined);
  const { isRefused, hops, receipt: payload } = report === undefined ? judged : judgeReceipt({ ...evidence, report });
  io.out(
    values.json
      ? `${jsonText({ isRefused, hops, receipt: payload }, 2)}\n`
      : `${hops.map(describeHop).join('\n')}\n${isRefused ? 'The receipt is not valid.' : 'Nothing in the receipt is refuted.'}\n`,
  );
  return isRefused ? EXIT.failed : EXIT.done;
}

async function keysOf(text: string, gateway: string | undefined, { signal }: CommandIo): Promise<unknown> {
  const claimed = claimedIssuer(text);
  if (claimed === null) return { keys: [] };
  const baseUrl = gateway === undefined ? claimed : new URL(gateway).origin;
  return withTypedErrors(() => fetchReceiptKeys({ baseUrl }, { signal }));
}

async function reportOf(
  { receipt: payload, isRefused }: JudgedReceipt,
  gateway: string | undefined,
  { signal }: CommandIo,
): Promise<Uint8Array | undefined> {
  const named = payload?.enclave?.report;
  if (payload === null || named === undefined || isRefused) return undefined;
  const baseUrl = gateway === undefined ? payload.issuer : new URL(gateway).origin;
  return (await withTypedErrors(() => fetchKeptReport({ baseUrl }, named.sha256, { signal }))) ?? undefined;
}

function keysIn(file: string): unknown {
  const text = Buffer.from(bytesOf(file)).toString();
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`);
  }
}

async function fetchOne(requestId: string, values: ReceiptValues, io: CommandIo): Promise<number> {
  const { connection } = await readCustomer(values, io, { budget: null });
  io.out(`${jsonText(await withTypedErrors(() => fetchReceipt(connection, requestId, { signal: io.signal })))}\n`);
  return EXIT.done;
}

function describeHop({ hop, outcome, text }: ReceiptHop): string {
  return printableLine(`${outcome.padEnd(9)} ${hop.padEnd(9)} ${text}`);
}

function optionalBytes(file: string | undefined): Uint8Array | undefined {
  return file === undefined ? undefined : bytesOf(file);
}

function bytesOf(file: string): Uint8Array {
  try {
    if (statSync(file).size > FILE_BYTES_MAX) throw new Error('The file is too long.');
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
