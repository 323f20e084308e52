import { formatBytes } from '@/lib/browser/text/amounts';

export const chatFileWords = {
  attached: 'Attached files',
  remove: (name: string) => `Remove ${name}`,
  notAttached: 'Not attached',
  dismiss: 'Dismiss',
  tooMany: (name: string, most: number) => `${name} was left out: ${most} files is the most for one question.`,
  tooLarge: (name: string, bytes: number, mostBytes: number) =>
    `${name} is ${formatBytes(bytes)}; the most is ${formatBytes(mostBytes)}. Attach the part that your question is about.`,
  tooLargeTogether: (name: string, mostBytes: number) =>
    `${name} was left out: all files of a question together may be ${formatBytes(mostBytes)}.`,
  empty: (name: string) => `${name} is empty.`,
  unreadable: (name: string) => `${name} could not be read. It may have been moved, or be a folder.`,
  notText: (name: string) => `${name} is not a text file. Text, Markdown, CSV, JSON and code can be attached.`,
  secret: (name: string) =>
    `${name} seems to hold the private key or seed phrase of a wallet. Nothing of it was kept or sent.`,
} as const;
