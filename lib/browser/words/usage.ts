import { keyNameText } from '../billing/key-name';
import type { KeyName } from '@/lib/client';

export const usageWords = {
  title: 'Usage',
  intro: 'Every charge for your calls, exact to a billionth of a dollar. Days are in UTC.',
  nobodyPays: 'Sign in with a wallet, or enter an API key, to see its charges.',
  byDay: 'By day',
  byResource: 'By resource',
  byKey: 'By key',
  filters: {
    period: 'Period',
    days: (days: number) => (days === 1 ? 'Today' : `${days} days`),
    remove: (label: string) => `${label}: show all again`,
    onlyRequest: (id: string) => `Request ${id.slice(0, 8)}…`,
    key: (key: KeyName | null | undefined, id: string) => (key ? keyNameText(key) : `Key no. ${id}`),
  },
  export: {
    charges: 'Export charges',
    isCollecting: 'Collecting…',
    isCut: 'The file has the newest 50,000 charges. Choose a shorter period to get older ones.',
    failed: (sentence: string) => `${sentence} Nothing was saved; try again.`,
  },
  find: {
    label: 'Find a request',
    hint: 'by its X-Request-ID',
    button: 'Find',
    notAnId:
      'That is not a request ID. It is the value of the X-Request-ID header of an answer: 32 letters and digits.',
  },
} as const;
