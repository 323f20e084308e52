const conversations = (count: number) => (count === 1 ? 'One conversation' : `${count} conversations`);

export const chatKeptWords = {
  conversations,
  none: 'No conversations yet. They are stored only in this browser.',
  search: 'Search in conversations',
  searchHint: 'Search in conversations…',
  noneFound: 'No conversation contains these words.',
  list: 'Conversations',
  where: 'In this browser only, as plain text.',
  loading: 'Loading',
  noModel: 'no model',
  questions: (count: number) => `${count} ${count === 1 ? 'question' : 'questions'}`,

  exportAll: 'Export all',
  import: 'Import…',
  imported: (count: number, known: number, unread: number) =>
    [
      count === 0 ? 'Nothing new was imported.' : `${conversations(count)} imported.`,
      known === 0 ? '' : `${conversations(known)} ${known === 1 ? 'was' : 'were'} here already.`,
      unread === 0 ? '' : `${conversations(unread)} in the file could not be read.`,
    ]
      .filter(Boolean)
      .join(' '),
  importedAnswer: 'Imported from a file: nothing about this answer was verified in this browser.',
  noExport: (name: string) => `${name} is not an export of conversations. Choose a JSON file that this page exported.`,
  importTooLarge: (name: string) => `${name} is too large to import: 50 MB is the most.`,

  rename: (title: string) => `Rename ${title}`,
  renameShort: 'Rename',
  name: 'Name of the conversation',
  share: (title: string) => `Share ${title}`,
  shareShort: 'Share',
  shareWhat:
    'The conversation as it is shown, with its files and without keys. The JSON file can be imported in another browser.',
  copyMarkdown: 'Copy as Markdown',
  saveMarkdown: 'Download as Markdown',
  saveJson: 'Download as JSON',

  erase: (title: string) => `Erase ${title}`,
  picture: ({ name, width, height }: { name: string; width: number; height: number }) =>
    `[Picture ${name}, ${width} × ${height} pixels]`,
  eraseShort: 'Erase',
  eraseAsk: 'Erase this conversation?',
  eraseWhat: (title: string) => `“${title}” will be erased from this browser. This cannot be undone.`,
  eraseDo: 'Erase it',
  eraseAll: 'Erase all…',
  eraseAllAsk: 'Erase all conversations?',
  eraseAllWhat: (count: number) =>
    `${conversations(count)} and the system prompt for the next one will be erased from this browser. This cannot be undone.`,
  eraseAllDo: 'Erase all',
  keep: 'Keep',

  otherVersion: (count: number) =>
    `${conversations(count)} ${count === 1 ? 'was' : 'were'} kept by another version of this console and cannot be shown here.`,
  otherVersionStays: 'Nothing was changed: they stay in this browser.',
  otherVersionSave: 'Save as a file',
} as const;
