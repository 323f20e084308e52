import { listKeys, revokeKey } from '@/lib/client/api-keys';
import { withTypedErrors } from '../../src/turnpike-error';
import { type Command, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { readOptions } from '../options';
import { argumentsNamed, noArguments } from '../positionals';
import { UsageError } from '../usage-error';

const HELP = `turnpike-client keys [list | revoke ID] [options]

Lists the API keys of the wallet's account, newest first, or ends one for good. Keys are made
in the console, where a wallet shows what it signs.

  --all                  list those that were revoked, too
${CUSTOMER_HELP}
`;

/** The keys of an account. */
export const keys: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, { ...CUSTOMER_OPTIONS, all: { type: 'boolean' } });
    const [action = 'list', ...rest] = positionals;
    const { signal } = io;
    if (action === 'revoke') {
      const { ID } = argumentsNamed(rest, 'ID');
      const { connection } = await readCustomer(values, io, { budget: null });
      await withTypedErrors(() => revokeKey(connection, ID, { signal }));
      io.out(values.json ? `${JSON.stringify({ revoked: ID })}\n` : `The key ${ID} is revoked, with its next request.\n`);
      return EXIT.done;
    }
    if (action !== 'list') throw new UsageError(`${JSON.stringify(action)} is nothing that can be done with keys: list, or revoke ID.`);
    noArguments(rest);
    const { connection } = await readCustomer(values, io, { budget: null });
    const page = await withTypedErrors(() => listKeys(connection, { signal, includeRevoked: values.all === true }));
    if (values.json) io.out(`${JSON.stringify(page, null, 2)}\n`);
    else io.out(page.data.map(({ id, last6Chars, apiKeyType, description }) => `${id}  …${last6Chars}  ${apiKeyType.padEnd(9)}  ${description}\n`).join('') || 'There are no keys.\n');
    return EXIT.done;
  },
};
