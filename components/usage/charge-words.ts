import { formatCount } from '@/lib/browser/text/amounts';

function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

export const chargesWords = {
  copyId: (id: string) => `Copy the request ID ${id.slice(0, 8)}`,
  csv: 'CSV',
  csvOf: (what: string) => `CSV: ${what}`,
  pots: {
    label: 'Reconciliation',
    tableLabel: 'How each balance changed',
    adds: 'Balance reconciled:',
    /** Leaves out terms that are null. */
    sum: ({ opening, credited, withdrawn, charged, expired, closing }: Readonly<Record<string, string | null>>) =>
      [
        `${opening} opening + ${credited} top-ups`,
        withdrawn && `${withdrawn} withdrawals`,
        `${charged} charges`,
        expired && `${expired} expired`,
      ]
        .filter((term) => term !== null)
        .join(' − ') + ` = ${closing}`,
    details: 'By balance',
    doesNotAdd: 'The charges do not add up to the balance.',
    tellOperator: 'Please tell the operator of this gateway to check the ledger.',
    pot: 'Balance',
    columns: {
      opening: 'Opening',
      credited: 'Credited',
      withdrawn: 'Withdrawn',
      charged: 'Charged',
      expired: 'Expired',
      closing: 'Closing',
    },
    names: { DIEM: 'Daily allocation', BUNDLED_CREDITS: 'Bundled credits', USD: 'USD', X402: 'Prepaid by the wallet' },
  },
  charges: {
    title: 'Charges',
    note: 'One for each paid request.',
    empty: 'Nothing was charged in this period. Your next paid call will be the first entry.',
    notFound:
      'No charge in this period has this request ID. A failed request costs nothing and has no charge. A request paid by another account is in the list of that account.',
    wallet: 'Wallet sign-in',
    older: 'Show older charges',
    isLoading: 'Loading…',
    units: (count: number, unit: string) => counted(count, unit),
    unitOf: {
      rpc: 'credit',
      chat: 'token',
      speech: 'character',
      transcriptions: 'second',
      embeddings: 'token',
      images: 'image',
      video: 'second',
    } as Readonly<Record<string, string>>,
    anyUnit: 'unit',
    pots: { DIEM: 'allocation', BUNDLED_CREDITS: 'bundled', USD: 'USD', X402: 'prepaid' },
  },
  lists: {
    label: 'List',
    names: { requests: 'Requests', errors: 'Errors', charges: 'Charges' },
  },
  requests: {
    title: 'Requests',
    note: 'New ones appear within seconds.',
    columns: {
      time: 'Time',
      product: 'Product',
      what: 'Model or method',
      status: 'Status',
      latency: 'Latency',
      units: 'Units',
      cost: 'Cost',
      key: 'Key',
      id: 'Request ID',
    },
    empty: 'No requests in this period.',
    noneFailed: 'No request failed in this period.',
    notFound: 'No request with this ID is logged. The log has the newest requests of the last days.',
    free: 'free',
    unknown: '–',
    cutReason: 'The connection closed before the answer was complete.',
    otherReason: 'The request was refused.',
    outcome: (status: number, code: string | null, isCut: boolean) =>
      isCut ? `${status} interrupted` : code === null ? `${status} OK` : `${status} ${code}`,
    older: 'Show older requests',
    isLoading: 'Loading…',
  },
} as const;
