/** What the plane is told through its environment, read once. */
export interface Settings {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** Signs the tokens of agents and encrypts secrets; must not change between boots. */
  readonly secret: string;
  readonly timers: Timers;
}

/** All in milliseconds. Short, so that a recovery can be watched; each is a variable `LAB_…_MS`. */
export interface Timers {
  /** Time between two looks for runs that are due. */
  readonly tick: number;
  /** Time between two looks at the processes of running runs. */
  readonly watch: number;
  /** Time between two sweeps. */
  readonly sweep: number;
  /** How long a claim holds without being renewed. */
  readonly lease: number;
  /** Wait before the first retry; each further one waits twice as long, up to `retryMax`. */
  readonly retry: number;
  readonly retryMax: number;
}

/** Retries of one cause in a row, after which a person is asked. New human input begins a new count. */
export const retryLimit = 8;

const defaults: Timers = { tick: 250, watch: 150, sweep: 2_000, lease: 15_000, retry: 1_000, retryMax: 8_000 };

/** Throws an Error that names the variable that is missing or wrong. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const required = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new Error(`the environment has no ${name}; tests/lab-plane/README.md lists what the plane needs`);
  };
  const milliseconds = (name: keyof Timers): number => {
    const variable = `LAB_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_MS`;
    const value = Number(environment[variable] ?? defaults[name]);
    if (Number.isInteger(value) && value > 0) return value;
    throw new Error(`${variable} takes a whole number of milliseconds above 0; got "${environment[variable]}"`);
  };
  return {
    home: required('HOME'),
    host: environment['HOST'] ?? '127.0.0.1',
    port: Number(required('PORT')),
    databaseUrl: required('DATABASE_URL'),
    secret: required('PAPERCLIP_AGENT_JWT_SECRET'),
    timers: {
      tick: milliseconds('tick'),
      watch: milliseconds('watch'),
      sweep: milliseconds('sweep'),
      lease: milliseconds('lease'),
      retry: milliseconds('retry'),
      retryMax: milliseconds('retryMax'),
    },
  };
}
