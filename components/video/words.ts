import { formatCount } from '@/lib/browser/text/amounts';

export const videoWords = {
  page: {
    title: 'Video',
    paneWidth: 'Width of the form',
    newVideo: 'New video',
    videos: 'Videos',
    modelsFailed: 'The list of models did not load.',
    tryAgain: 'Try again',
    noModels: 'This gateway makes no videos.',
    noModelsHelp: 'Its operator has connected no video server.',
    replaced: 'Your prompt was replaced.',
    bringBack: 'Bring it back',
    samplePrompt: 'A toll gate at dawn',
    requestNames: { queue: 'Queue a video', retrieve: 'Retrieve it', complete: 'Delete it from the server' },
  },
  form: {
    model: 'Model',
    modelOption: (name: string, id: string, isOffline: boolean) => `${name} (${id})${isOffline ? ', offline' : ''}`,
    madeBy: (engine: string) => `Made by ${engine}`,
    length: 'Length',
    seconds: (duration: string) => duration.replace(/s$/, ' s'),
    aspectRatio: 'Aspect ratio',
    prompt: 'Prompt',
    promptPlaceholder: 'For example: a toll gate at dawn, its lamp just lit',
    count: (count: number, most: number) => `${formatCount(count)} / ${formatCount(most)}`,
    promptMissing: 'Say what the video should show.',
    promptTooLong: (most: number) => `A prompt can have at most ${formatCount(most)} characters.`,
    promptUnsendable:
      'The prompt contains a character that cannot be sent (a NUL, or half of an emoji). Delete it, or type that part again.',
    noPrice: 'The price is not known while the models are not.',
    paidNow: ' is charged now, and refunded if the video fails.',
    make: 'Make the video',
    asking: 'Asking for it…',
  },
  empty: {
    help: 'Your videos appear here. They stay in this browser, and on the server for 24 hours or until you delete them there.',
    prices: 'What a video costs',
    priceHead: ['Model', 'Length', 'Price'] as const,
    priceHelp:
      'Making one takes a while. You can leave the page meanwhile: the video is here when you come back. If it fails, you get the money back.',
  },
} as const;
