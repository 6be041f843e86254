/** All debates that come with the program. */
import { Loading, NoPage } from "../ui/Said";
import { Title } from "../ui/Title";
import { words } from "../words/doing";
import { starting } from "../words/starting";
import { SampleCards } from "./SampleCard";
import { useSamples } from "./sample";

const w = starting.samples;

export default function Samples() {
  const { data, error, refetch } = useSamples();
  if (error) return <NoPage error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      <Title>{words.title(w.title)}</Title>
      <h1 className="mb-1 text-3xl">{w.title}</h1>
      <p className="mb-6 text-muted">{w.why}</p>
      <SampleCards samples={data} heading="h2" />
    </>
  );
}
