from pathlib import Path
def write_scenarios(folder: Path, number: int, seed: int) -> list[Path]:
    return []
