import { type EffectiveValue, effectiveValues } from '../config/effective';
import type { OfflineCommand } from './command';
import { table } from './table';

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
        'Everything is a default.',
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
