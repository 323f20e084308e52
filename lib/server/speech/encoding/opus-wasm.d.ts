/** The WebAssembly build inside of @evan/opus, which declares no types for it. The package's own entry loads a native addon, which crashes when its thread ends. */
declare module '@evan/opus/wasm/index.mjs' {
  export class Encoder {
    constructor(options: { channels: 1 | 2; sample_rate: number; application: 'voip' | 'audio' | 'restricted_lowdelay' });
    /** opus_encoder_ctl: without a value, the request's answer. @throws for a value that is refused */
    ctl(request: number, value?: number): number;
    /** A packet of its own memory, from one frame of 16-bit samples. */
    encode(samples: ArrayBufferView): Uint8Array<ArrayBuffer>;
    /** Frees it. */
    drop(): void;
  }
}
