export const chatPlainHttpWords = {
  title: 'Private chats need HTTPS, or this page opened on the gateway’s own machine.',
  why: 'This page came over plain HTTP. Anybody along the way could have changed the code that verifies and encrypts, so it does neither. Models outside an enclave work as usual.',
  here: 'On the gateway’s machine, open',
  tunnel: 'From this machine, open a tunnel to it, then that same address here:',
  operator: 'For everybody else, the operator puts the gateway behind HTTPS.',
  copy: 'Copy the command',
  command: 'Command',
} as const;
