export const samplesWords = {
  unfold: 'The API calls of this page',
  request: 'Request',
  language: 'Language',
  show: (isShown: boolean) => (isShown ? 'Mask' : 'Show'),
  credential: (kind: 'apiKey' | 'signIn') => (kind === 'apiKey' ? 'the key' : 'the sign-in'),
  copy: 'Copy',
  copyMeaning: (isPublic: boolean) =>
    isPublic ? 'Copies the code' : 'Copies the code with the whole credential in it',
  code: (language: string) => `The request in ${language}`,
} as const;
