import type { Command, Option } from './command';
import { GLOBAL_OPTIONS } from './options';

export function helpOf({ name, summary, options, argument }: Command): string {
  const about = argument ? [`  ${argument.name.padEnd(24)}  ${argument.description}`] : [];
  return [
    `Usage: npm run admin -- ${name} ${argument ? `[${argument.name}] ` : ''}[OPTIONS]`,
    '',
    summary,
    '',
    ...about,
    ...optionLines({ ...options, ...GLOBAL_OPTIONS }),
    '',
  ].join('\n');
}

export function overviewOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: npm run admin -- COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    'Every command has these options and --help. They work while the gateway runs.',
    '',
    ...optionLines(GLOBAL_OPTIONS),
    '',
  ].join('\n');
}

function optionLines(options: Readonly<Record<string, Option & { short?: string }>>): string[] {
  return Object.entries(options).map(([name, { value, description, required, short }]) => {
    const face = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `  ${face.padEnd(24)}  ${description}${required ? ' (required)' : ''}`;
  });
}
