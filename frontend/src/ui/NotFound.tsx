import { Link } from "../router";
import { words } from "../words/reading";
import { Empty } from "./Said";

export function NotFound() {
  return (
    <Empty title={<h1 className="text-lg">{words.notFound.title}</h1>}>
      <p>{words.notFound.why}</p>
      <Link to={"/" as string} className="text-accent underline">
        {words.notFound.fix}
      </Link>
    </Empty>
  );
}
