import { type EffectiveValue, effectiveValues } from '../config/effective';
import { RpcNetworks } from '../upstreams/nodes/networks';
import type { OfflineCommand } from './command';
import { table } from './table';

/** Shows the configuration. If it is invalid, loading it fails before this command runs. */
export const checkConfig: OfflineCommand = {
  offline: true,
  name: 'config check',
  summary: 'Check the configuration and show the result, without secrets',
  options: {},
  argument: {
    name: 'FILE',
    description: 'Configuration file; by default the file that a gateway in this folder would use',
  },
  secretNeeded: true,
  run: async ({ config, source }) => {
    const rpc = new RpcNetworks(config);
    const upstreams = Object.fromEntries(rpc.slugs.map((slug) => [slug, config.networks[slug]?.upstreams.length ?? 0]));
    await rpc.close();
    const configured = Object.values(upstreams).filter((count) => count > 0).length;
    const { warnings } = config;
    return {
      text: [
        `The configuration is valid: profile ${config.profile}, data in ${config.dataDir}, accounts in ${config.databaseUrl ? 'the Postgres of DATABASE_URL' : 'SQLite in that folder'}.`,
        source.file === null
          ? 'There is no configuration file, so only defaults and environment variables apply.'
          : `Read from ${source.file}.`,
        `Networks with a configured upstream: ${configured} of ${rpc.slugs.length}${config.profile === 'sandbox' ? '; stand-ins serve the other EVM and Solana networks' : ''}.`,
        ...(warnings.length === 0
          ? []
          : ['', `Doubtful (${warnings.length}):`, ...warnings.map((warning) => `  ${warning}`)]),
      ].join('\n'),
      json: {
        ok: true,
        file: source.file,
        profile: config.profile,
        dataDir: config.dataDir,
        store: config.databaseUrl ? 'postgres' : 'sqlite',
        limits: config.limits,
        pricePerCreditUsd: config.pricePerCreditUsd,
        upstreams,
        warnings,
      },
    };
  },
};

export const explainConfig: OfflineCommand = {
  offline: true,
  name: 'config explain',
  summary: 'Show every value in use and its source, with secrets masked',
  options: { given: { type: 'boolean', description: 'Leave out defaults' } },
  argument: {
    name: 'FILE',
    description: 'Configuration file; by default the file that a gateway in this folder would use',
  },
  run: ({ config, source, options }) => {
    const values = effectiveValues(config, source).filter(
      ({ origin }) => options.given !== true || origin === 'file' || origin === 'environment',
    );
    return Promise.resolve({
      text: table(
        ['FIELD', 'VALUE', 'FROM'],
        values.map((each) => [each.path, JSON.stringify(each.value), originOf(each, source.file)]),
        'Every value is the default.',
      ),
      json: { file: source.file, values },
    });
  },
};

function originOf({ origin, variables }: EffectiveValue, file: string | null): string {
  const names = variables.join(', ');
  if (origin === 'environment') return `environment: ${names}`;
  if (origin === 'file')
    return `file${file === null ? '' : `: ${file.split('/').at(-1)}`}${names ? ` with ${names}` : ''}`;
  return origin;
}
