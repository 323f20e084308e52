import type { Program } from './programs';

export interface GrownRow {
  name: string;
  measured: string;
  /** Result before the change whose effect the row shows. */
  before: string;
}

export type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

export function renderGrown(rows: readonly GrownRow[]): string {
  if (rows.length === 0) return '';
  return [
    'Gateways with much to do',
    ...rows.map(({ name, measured, before }) => `  ${name}: ${measured}; before: ${before}`),
    '',
  ].join('\n');
}
