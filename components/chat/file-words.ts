import { formatBytes, formatCount } from '@/lib/browser/text/amounts';

export const chatFileWords = {
  attachedPictures: 'Attached pictures',
  pictureFacts: (width: number, height: number, size: string) =>
    `${formatCount(width)} × ${formatCount(height)} pixels, ${size}`,
  gone: (name: string) => `${name} is no longer in this browser.`,
  goneToSend: (name: string) => `${name} is no longer in this browser. Ask in a new message with the picture attached.`,
  unread: 'A picture could not be read. Attach it again.',
  blind: (modelId: string) => `${modelId} does not see pictures. Choose a model that does, then ask again.`,
  blindRefuses: (name: string, modelId: string, insteadId: string | null) =>
    `${name} was left out: ${modelId} does not see pictures.${insteadId === null ? '' : ` ${insteadId} does.`}`,
  tooManyPictures: (name: string, most: number) =>
    `${name} was left out: ${most} pictures is the most for one question.`,
  notPicture: (name: string) => `${name} is not a picture that this browser reads. PNG, JPEG and WebP can be attached.`,
  pictureTooLarge: (name: string, bytes: number, mostBytes: number) =>
    `${name} is ${formatBytes(bytes)}; the most is ${formatBytes(mostBytes)}.`,
  tooManyPixels: (name: string, width: number, height: number) =>
    `${name} has ${formatCount(width)} × ${formatCount(height)} pixels; the most is 50 million.`,
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
