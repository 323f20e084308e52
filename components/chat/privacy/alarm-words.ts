export const chatAlarmWords = {
  label: 'Tamper warning',
  beforeSending: (time: string) => `Found before anything was sent, first at ${time}. The conversation is stopped.`,
  afterSending: (time: string) => `Found after the question was sent, first at ${time}. The conversation is stopped.`,
  look: 'Look',
  lookRest: ' at the checks',
  less: 'Less',
  more: 'More',
  dismiss: 'Dismiss…',
  dismissAsk: 'Dismiss the warning?',
  dismissWhat:
    'Somebody between this browser and the enclave may be able to read or change what you write. The next message is sent only if the enclave then proves itself again; if it does not, this warning comes back.',
  hasRead: (modelId: string) => `I have looked at what failed, and want to try ${modelId} again.`,
  keep: 'Keep it',
  dismissDo: 'Dismiss the warning',
} as const;
